import type { EffectivePermissions, GroupDetails, HeldPermission, Permission, Template } from '../../api/types';

/** The effect of applying a template on one of its tools. */
export type Effect = 'adds' | 'renews' | 'has' | 'refused';

export interface PreviewRow {
  tool: string;
  effect: Effect;
  /** Groups through which an agent may use the tool already. */
  grantedBy: string[];
  /** Groups that refuse it; the agent's own grant does not override them. */
  refusedBy: string[];
}

/** Like the server: missing, expired and used-up grants are added; everything else, including refusals, stays. */
function effectOn(permission: Permission | undefined, now: number): Effect {
  if (permission === undefined) {
    return 'adds';
  }
  if (!permission.allowed) {
    return 'refused';
  }
  const over =
    (permission.expires_at !== null && Date.parse(permission.expires_at) <= now) ||
    (permission.max_uses !== null && permission.uses >= permission.max_uses);
  return over ? 'renews' : 'has';
}

export function previewForAgent(template: Template, { permissions }: EffectivePermissions, now: number): PreviewRow[] {
  const byTool = new Map(permissions.map((each) => [each.tool_name, each.sources]));
  return template.tools.map((tool) => {
    const sources = byTool.get(tool) ?? [];
    return {
      tool,
      effect: effectOn(sources.find((source) => source.source === 'agent'), now),
      grantedBy: groupsOf(sources.filter((source) => source.allowed)),
      refusedBy: groupsOf(sources.filter((source) => !source.allowed)),
    };
  });
}

export function previewForGroup(template: Template, group: GroupDetails, now: number): PreviewRow[] {
  return template.tools.map((tool) => ({ tool, effect: effectOn(group.permissions[tool], now), grantedBy: [], refusedBy: [] }));
}

function groupsOf(sources: HeldPermission[]): string[] {
  return sources.flatMap((source) => (source as { group_id?: string }).group_id ?? []);
}

export function addedTools(rows: PreviewRow[]): string[] {
  return rows.filter((row) => row.effect === 'adds' || row.effect === 'renews').map((row) => row.tool);
}
