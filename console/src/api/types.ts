import type { components } from '#schema';

type Schemas = components['schemas'];

export type Agent = Schemas['Agent'];
export type Approval = Schemas['Approval'];
export type ApprovalScope = Schemas['ApprovalScope'];
export type AuditRecord = Schemas['AuditLog'];
export type EffectivePermissions = Schemas['EffectivePermissions'];
export type EffectivePermission = EffectivePermissions['permissions'][number];
export type Explanation = Schemas['Explanation'];
export type Group = Schemas['Group'];
export type GroupDetails = Schemas['GroupDetails'];
export type HeldPermission = Schemas['HeldPermission'];
export type Key = Schemas['Key'];
export type McpServer = Schemas['McpServer'];
export type McpTool = Schemas['McpTool'];
export type Permission = Schemas['Permission'];
export type PermissionChange = Schemas['PermissionChange'];
export type PolicyBundle = Schemas['PolicyBundle'];
export type Right = Schemas['Right'];
export type Role = Schemas['Role'];
export type Session = Schemas['Session'];
export type StandingApproval = Schemas['StandingApproval'];
export type Template = Schemas['Template'];
export type Tool = Schemas['Tool'];
export type TrustLevel = Schemas['TrustLevel'];
export type WhoAmI = Schemas['WhoAmI'];
