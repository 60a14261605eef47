import type { Right } from '../api/types';
import { t } from '../strings';
import type { IconName } from '../ui/Icon';

/** A page of the navigation; it is visible with at least one of the rights `any`, or to all if the list is empty. */
export interface NavigationEntry {
  to:
    | '/'
    | '/approvals'
    | '/activity'
    | '/sessions'
    | '/access'
    | '/agents'
    | '/groups'
    | '/templates'
    | '/tools'
    | '/try'
    | '/servers'
    | '/changes'
    | '/usage'
    | '/integrity'
    | '/chat'
    | '/settings';
  label: string;
  icon: IconName;
  /** The key that opens it, after g. */
  key: string;
  any: Right[];
}

export const NAVIGATION: NavigationEntry[] = [
  { to: '/', label: t.overview.title, icon: 'overview', key: 'o', any: [] },
  {
    to: '/approvals',
    label: t.approvals.title,
    icon: 'approvals',
    key: 'p',
    any: ['answer_approvals', 'answer_own_questions', 'read_audit'],
  },
  { to: '/activity', label: t.activity.title, icon: 'activity', key: 'l', any: ['read_agent_audit'] },
  { to: '/sessions', label: t.sessions.title, icon: 'sessions', key: 'n', any: ['read_agent_audit'] },
  { to: '/access', label: t.access.title, icon: 'access', key: 'm', any: ['read_permissions'] },
  { to: '/agents', label: t.agents.title, icon: 'agents', key: 'a', any: ['read_permissions'] },
  { to: '/groups', label: t.groups.title, icon: 'groups', key: 'r', any: ['read_permissions'] },
  { to: '/templates', label: t.templates.title, icon: 'templates', key: 'x', any: ['read_permissions'] },
  { to: '/tools', label: t.tools.title, icon: 'tools', key: 't', any: [] },
  {
    to: '/try',
    label: t.try.title,
    icon: 'try',
    key: 'y',
    any: ['read_permissions', 'call_for_any_agent', 'call_as_itself'],
  },
  { to: '/servers', label: t.servers.title, icon: 'servers', key: 's', any: ['read_permissions'] },
  { to: '/changes', label: t.changes.title, icon: 'changes', key: 'c', any: ['read_permissions'] },
  { to: '/usage', label: t.usage.title, icon: 'usage', key: 'u', any: ['read_agent_audit'] },
  { to: '/integrity', label: t.integrity.title, icon: 'integrity', key: 'i', any: ['read_whole_audit'] },
  {
    to: '/chat',
    label: t.chat.title,
    icon: 'chat',
    key: 'h',
    any: ['call_as_itself', 'call_for_any_agent', 'chat_as_named_agents'],
  },
  { to: '/settings', label: t.settings.title, icon: 'settings', key: 'e', any: [] },
];

export function visibleEntries(may: (right: Right) => boolean): NavigationEntry[] {
  return NAVIGATION.filter((entry) => entry.any.length === 0 || entry.any.some(may));
}
