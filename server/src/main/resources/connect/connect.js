'use strict';
// Everything is added to the page as text, never as markup. The key is only in the input field: nothing is stored.
const $ = id => document.getElementById(id);
const server = decodeURIComponent(location.pathname.split('/').pop());
const agent = new URLSearchParams(location.search).get('agent_id');
let csrf;

async function ask(method, path, body) {
  const headers = {};
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  if (csrf) headers['X-CSRF-Token'] = csrf;
  const reply = await fetch(path, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
  const json = reply.status === 204 ? {} : await reply.json().catch(() => ({}));
  if (!reply.ok) throw new Error(json.error && json.error.message || 'The gate answered with status ' + reply.status + '.');
  return json;
}

function show(identity) {
  csrf = identity && identity.csrf_token;
  $('login').hidden = Boolean(csrf);
  $('connect').hidden = !csrf;
  if (!csrf) return;
  $('who').textContent = identity.role + ' ' + identity.name;
  const forAgent = identity.agent_id || (identity.role === 'user' ? null : agent);
  $('whose').textContent = forAgent ? 'The account will be used for calls of the agent ' + forAgent + '.'
    : 'The account will be used for your own calls.';
}

const attempt = work => async event => {
  if (event) event.preventDefault();
  $('problem').textContent = '';
  try {
    await work();
  } catch (failed) {
    $('problem').textContent = failed.message;
  }
};

$('server').textContent = server;
$('login').addEventListener('submit', attempt(async () => {
  const key = $('key').value;
  $('key').value = '';
  show(await ask('POST', '/api/v1/console/session', { key }));
}));
$('logout').addEventListener('click', attempt(async () => {
  await ask('DELETE', '/api/v1/console/session');
  show(null);
}));
$('connect').addEventListener('submit', attempt(async () => {
  const path = '/api/v1/mcp/servers/' + encodeURIComponent(server) + '/account';
  const begun = await ask('POST', path, agent ? { agent_id: agent } : {});
  const page = new URL(begun.authorization_url);
  if (page.protocol !== 'https:' && page.protocol !== 'http:') throw new Error('The authorization URL is not valid.');
  location.assign(page.href);
}));
ask('GET', '/api/v1/console/sign-on').then(way => {
  if (!way.url) return;
  $('signon').href = way.url + '?' + new URLSearchParams({ return: location.pathname + location.search });
  $('signon').hidden = false;
}, () => {});
ask('GET', '/api/v1/console/session').then(show, () => show(null));
