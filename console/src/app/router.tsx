import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Link,
  redirect,
} from '@tanstack/react-router';
import { OverviewPage } from '../pages/overview/OverviewPage';
import { t } from '../strings';
import { PageHeader } from '../ui/PageHeader';
import { Problem } from '../ui/States';
import { Root } from './Root';

/** The named query parameters that are non-empty strings; others are dropped. */
function texts<const Names extends readonly string[]>(...names: Names) {
  return (search: Record<string, unknown>): { [Name in Names[number]]?: string } => {
    const found: Record<string, string> = {};
    for (const name of names) {
      const value = search[name];
      if (typeof value === 'string' && value !== '') {
        found[name] = value;
      }
    }
    return found as { [Name in Names[number]]?: string };
  };
}

const root = createRootRoute({
  component: Root,
  notFoundComponent: () => (
    <>
      <PageHeader title={t.shell.noPage} />
      <Link to="/">{t.shell.toOverview}</Link>
    </>
  ),
  errorComponent: ({ error, reset }) => <Problem error={error} retry={reset} />,
});

const overview = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: OverviewPage, // small, and the first page of most: not a file of its own
});
const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  beforeLoad: () => {
    throw redirect({ to: '/' }); // the log-in form is shown at every address
  },
});
const approvals = createRoute({
  getParentRoute: () => root,
  path: '/approvals',
  validateSearch: texts('view', 'id', 'q', 'state', 'agent', 'tool'),
  component: lazyRouteComponent(() => import('../pages/approvals/ApprovalsPage'), 'ApprovalsPage'),
});
const activity = createRoute({
  getParentRoute: () => root,
  path: '/activity',
  validateSearch: texts(
    'agent_id',
    'tool_name',
    'allowed',
    'kind',
    'q',
    'since',
    'start_date',
    'end_date',
    'request_id',
    'correlation_id',
    'conversation_id',
    'project_id',
    'session_id',
    'status',
    'error_code',
    'principal',
    'page',
  ),
  component: lazyRouteComponent(() => import('../pages/activity/ActivityPage'), 'ActivityPage'),
});
const record = createRoute({
  getParentRoute: () => root,
  path: '/activity/$id',
  validateSearch: texts('request'),
  component: lazyRouteComponent(() => import('../pages/activity/RecordPage'), 'RecordPage'),
});
const access = createRoute({
  getParentRoute: () => root,
  path: '/access',
  validateSearch: texts('tool', 'agent', 'category', 'danger', 'group', 'state'),
  component: lazyRouteComponent(() => import('../pages/access/AccessPage'), 'AccessPage'),
});
const agents = createRoute({
  getParentRoute: () => root,
  path: '/agents',
  validateSearch: texts('q'),
  component: lazyRouteComponent(() => import('../pages/agents/AgentsPage'), 'AgentsPage'),
});
const agent = createRoute({
  getParentRoute: () => root,
  path: '/agents/$id',
  validateSearch: texts('tab', 'tool', 'q'),
  component: lazyRouteComponent(() => import('../pages/agents/AgentPage'), 'AgentPage'),
});
const tools = createRoute({
  getParentRoute: () => root,
  path: '/tools',
  validateSearch: texts('q', 'category', 'danger'),
  component: lazyRouteComponent(() => import('../pages/tools/ToolsPage'), 'ToolsPage'),
});
const tool = createRoute({
  getParentRoute: () => root,
  path: '/tools/$name',
  component: lazyRouteComponent(() => import('../pages/tools/ToolPage'), 'ToolPage'),
});
const groups = createRoute({
  getParentRoute: () => root,
  path: '/groups',
  validateSearch: texts('q'),
  component: lazyRouteComponent(() => import('../pages/groups/GroupsPage'), 'GroupsPage'),
});
const group = createRoute({
  getParentRoute: () => root,
  path: '/groups/$id',
  validateSearch: texts('tab', 'tool', 'q'),
  component: lazyRouteComponent(() => import('../pages/groups/GroupPage'), 'GroupPage'),
});
const templates = createRoute({
  getParentRoute: () => root,
  path: '/templates',
  validateSearch: texts('q'),
  component: lazyRouteComponent(() => import('../pages/templates/TemplatesPage'), 'TemplatesPage'),
});
const template = createRoute({
  getParentRoute: () => root,
  path: '/templates/$name',
  validateSearch: texts('to', 'agent', 'group'),
  component: lazyRouteComponent(() => import('../pages/templates/TemplatePage'), 'TemplatePage'),
});
const sessions = createRoute({
  getParentRoute: () => root,
  path: '/sessions',
  validateSearch: texts('agent', 'status'),
  component: lazyRouteComponent(() => import('../pages/sessions/SessionsPage'), 'SessionsPage'),
});
const session = createRoute({
  getParentRoute: () => root,
  path: '/sessions/$id',
  validateSearch: texts('tab', 'call'),
  component: lazyRouteComponent(() => import('../pages/sessions/SessionPage'), 'SessionPage'),
});
const tryOut = createRoute({
  getParentRoute: () => root,
  path: '/try',
  validateSearch: texts('view', 'tool', 'agent', 'condition', 'examples'),
  component: lazyRouteComponent(() => import('../pages/try/TryPage'), 'TryPage'),
});
const servers = createRoute({
  getParentRoute: () => root,
  path: '/servers',
  component: lazyRouteComponent(() => import('../pages/servers/ServersPage'), 'ServersPage'),
});
const server = createRoute({
  getParentRoute: () => root,
  path: '/servers/$name',
  validateSearch: texts('tool'),
  component: lazyRouteComponent(() => import('../pages/servers/ServerPage'), 'ServerPage'),
});
const changes = createRoute({
  getParentRoute: () => root,
  path: '/changes',
  validateSearch: texts('agent_id', 'tool_name', 'group_id'),
  component: lazyRouteComponent(() => import('../pages/changes/ChangesPage'), 'ChangesPage'),
});
const usage = createRoute({
  getParentRoute: () => root,
  path: '/usage',
  validateSearch: texts('view', 'days', 'agent', 'tool', 'sort'),
  component: lazyRouteComponent(() => import('../pages/usage/UsagePage'), 'UsagePage'),
});
const integrity = createRoute({
  getParentRoute: () => root,
  path: '/integrity',
  component: lazyRouteComponent(() => import('../pages/integrity/IntegrityPage'), 'IntegrityPage'),
});
const chat = createRoute({
  getParentRoute: () => root,
  path: '/chat',
  validateSearch: texts('agent', 'provider', 'model', 'trust', 'session'),
  component: lazyRouteComponent(() => import('../pages/chat/ChatPage'), 'ChatPage'),
});
const settings = createRoute({
  getParentRoute: () => root,
  path: '/settings',
  validateSearch: texts('tab'),
  component: lazyRouteComponent(() => import('../pages/settings/SettingsPage'), 'SettingsPage'),
});

export const router = createRouter({
  routeTree: root.addChildren([
    overview,
    login,
    approvals,
    activity,
    record,
    access,
    agents,
    agent,
    tools,
    tool,
    groups,
    group,
    templates,
    template,
    sessions,
    session,
    tryOut,
    servers,
    server,
    changes,
    usage,
    integrity,
    chat,
    settings,
  ]),
  basepath: '/console',
  defaultPreload: 'intent',
  scrollRestoration: true,
  // Plain addresses: every parameter is text.
  parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
  stringifySearch: (search) => {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(search)) {
      if (typeof value === 'string' && value !== '') {
        query.set(name, value);
      }
    }
    return query.size === 0 ? '' : `?${query}`;
  },
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
