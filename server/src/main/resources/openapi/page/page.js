'use strict';
// Everything is added to the page as text, never as markup. The key is only in the input field: nothing is stored.
const $ = id => document.getElementById(id);
const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
const MAX_SHOWN = 200000;
let api, running, csrf;

function el(tag, attributes, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (typeof value === 'function') node.addEventListener(name, value);
    else if (value !== undefined && value !== false) node.setAttribute(name, value === true ? '' : value);
  }
  node.append(...children.flat().filter(child => child !== undefined && child !== null));
  return node;
}

const prose = text => (text || '').trim().split('`').map((part, i) => i % 2 ? el('code', {}, part) : part);
const resolve = node => {
  while (node && node.$ref) {
    const { $ref, ...beside } = node;
    node = { ...$ref.slice(2).split('/').reduce((at, name) => at[name], api), ...beside };
  }
  return node;
};
const pretty = value => JSON.stringify(value, null, 2);

function operations() {
  return Object.entries(api.paths).flatMap(([path, item]) =>
    METHODS.filter(method => item[method]).map(method => ({ path, method, ...item[method] })));
}

function showList() {
  const wanted = $('filter').value.toLowerCase().split(/\s+/).filter(Boolean);
  const current = location.hash.slice(1);
  const fits = op => wanted.every(word => `${op.method} ${op.path} ${op.summary} ${op.tags}`.toLowerCase().includes(word));
  $('list').replaceChildren(...api.tags.flatMap(tag => {
    const ours = operations().filter(op => op.tags.includes(tag.name) && fits(op));
    return ours.length ? [el('h2', { title: tag.description }, tag.name), ...ours.map(op =>
      el('a', { href: '#' + op.operationId, title: op.path, 'aria-current': op.operationId === current && 'page' },
        el('span', { class: 'method ' + op.method }, op.method.toUpperCase()), op.summary))] : [];
  }));
}

// ---- schemas

function typeOf(schema) {
  if (schema.$ref) return typeOf(resolve(schema));
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map(value => JSON.stringify(value)).join(' | ');
  const choice = schema.oneOf;
  if (choice && !schema.properties) return choice.map(typeOf).join(' | ');
  const types = [].concat(schema.type || (schema.properties || schema.allOf ? 'object' : 'anything'));
  return types.map(type => type === 'array' && schema.items ? 'array of ' + typeOf(schema.items) : type).join(' | ')
    + (schema.format ? ' (' + schema.format + ')' : '');
}

function fields(schema) {
  schema = resolve(schema);
  const own = Object.entries(schema.properties || {}).map(([name, property]) =>
    ({ name, property, required: (schema.required || []).includes(name) }));
  return [...own, ...(schema.allOf || []).flatMap(fields)];
}

function schemaList(schema, depth = 0) {
  schema = resolve(schema);
  if (schema.oneOf && !schema.properties) {
    return el('ul', { class: 'schema' }, schema.oneOf.map(choice => el('li', {}, prose(resolve(choice).description), schemaList(choice, depth + 1))));
  }
  const items = schema.items || (typeof schema.additionalProperties === 'object' && schema.additionalProperties);
  if (items) return depth > 4 ? '' : schemaList(items, depth);
  const found = fields(schema);
  if (!found.length || depth > 4) return '';
  return el('ul', { class: 'schema' }, found.map(field => el('li', {},
    el('b', { class: field.required && 'required' }, field.name), el('i', {}, typeOf(field.property)),
    el('span', {}, prose(resolve(field.property).description)), schemaList(field.property, depth + 1))));
}

// ---- one operation

function show() {
  showList();
  if (running) running.abort();
  const op = operations().find(each => each.operationId === location.hash.slice(1));
  $('main').replaceChildren(...(op ? operation(op) : welcome()));
  document.title = (op ? op.summary + ' · ' : '') + 'Toolgate API';
  scrollTo(0, 0);
}

function welcome() {
  return [el('h1', {}, api.info.title + ' API'), el('p', {}, api.info.summary),
    el('div', { class: 'card' }, api.info.description.trim().split('\n\n').map(part => el('p', {}, prose(part)))),
    el('p', { class: 'quiet' }, 'Enter a key above and choose an operation; ', el('code', {}, '/'), ' filters the list and ',
      el('code', {}, 'Ctrl+Enter'), ' sends. For programs: ', el('a', { href: '/openapi.json' }, 'openapi.json'), '.')];
}

function operation(op) {
  const security = op.security || api.security;
  const rights = security.length ? security[0].bearer : [];
  const parameters = (op.parameters || []).map(resolve);
  const media = op.requestBody && op.requestBody.content['application/json'];
  const inputs = parameters.map(parameter => input(parameter));
  const body = media && el('textarea', { id: 'body', spellcheck: 'false', 'aria-label': 'Body', input: update });
  const curl = el('pre', { id: 'curl', tabindex: '0' });
  const answer = el('div', { id: 'answer', role: 'region', 'aria-label': 'Answer', 'aria-live': 'polite' });
  const request = () => read(op, parameters, inputs, body);
  function update() { curl.textContent = curlOf(request()); }
  show.update = update;
  const form = el('form', { class: 'card', submit: event => { event.preventDefault(); send(request(), answer); },
    input: update, keydown: event => { if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.requestSubmit(); } },
    el('h2', {}, 'Try it'),
    parameters.map((parameter, i) => el('div', { class: 'field' },
      el('label', { for: inputs[i].id, class: parameter.required && 'required' }, parameter.name), inputs[i],
      el('small', {}, prose(parameter.description), ' ', el('em', {}, parameter.in)))),
    media && el('div', { class: 'bar' }, el('label', { for: 'body', class: 'required' }, 'Body'), examples(media, body, update)), body,
    el('div', { class: 'bar' }, el('span', {}, el('button', { class: 'main' }, 'Send'), ' ',
      el('span', { class: 'quiet' }, 'Ctrl+Enter')), el('button', { type: 'button', class: 'small', click: event => copy(event, curl) }, 'Copy curl')),
    curl);
  update();
  return [el('h1', {}, op.summary), el('p', { class: 'address' }, el('span', { class: 'method ' + op.method }, op.method.toUpperCase()), ' ' + op.path),
    el('p', {}, prose(op.description)),
    el('p', {}, security.length ? el('span', { class: 'chip' }, rights.length ? 'needs ' + rights.join(', ') : 'any key') : el('span', { class: 'chip' }, 'open to everybody')),
    form, answer,
    media && el('div', { class: 'card' }, el('h2', {}, 'Body'), schemaList(media.schema)),
    el('div', { class: 'card' }, el('h2', {}, 'Answers'), Object.entries(op.responses).map(([status, response]) => documented(status, resolve(response))))]
    .filter(Boolean);
}

function input(parameter) {
  const schema = resolve(parameter.schema);
  const id = 'p-' + parameter.name;
  const choices = schema.enum || (schema.type === 'boolean' && [true, false]);
  if (choices) return el('select', { id }, el('option', { value: '' }, ''), choices.map(value => el('option', {}, String(value))));
  return el('input', { id, required: parameter.required, spellcheck: 'false', autocomplete: 'off',
    placeholder: schema.default !== undefined ? String(schema.default) : schema.format === 'date-time' ? '2026-01-31T12:00:00Z' : '',
    value: parameter.in === 'path' ? parameter.example : undefined });
}

function examples(media, body, update) {
  const all = Object.values(media.examples || {}).map(resolve);
  const fresh = value => 'request_id' in value ? { ...value, request_id: newId() } : value;
  const choose = index => { body.value = pretty(fresh(all[index].value)); body.rows = body.value.split('\n').length + 1; };
  if (all.length) choose(0);
  return all.length < 2 ? el('span', { class: 'quiet' }, all.length ? all[0].summary : '')
    : el('select', { 'aria-label': 'Example', change: event => { choose(event.target.selectedIndex); update(); } }, all.map(each => el('option', {}, each.summary)));
}

// Not crypto.randomUUID: browsers offer it only over TLS or on localhost.
const newId = () => [...crypto.getRandomValues(new Uint8Array(16))].map(byte => byte.toString(16).padStart(2, '0')).join('');

function documented(status, response) {
  const media = Object.entries(response.content || {});
  const sample = content => content.example !== undefined ? content.example : Object.values(content.examples || {}).map(each => resolve(each).value)[0];
  return el('details', {}, el('summary', {}, el('b', { class: 'status ' + kind(Number(status)) }, status), prose(response.description)),
    media.map(([type, content]) => el('div', {}, el('p', { class: 'quiet' }, type), schemaList(content.schema),
      sample(content) !== undefined && el('pre', {}, coloured(pretty(sample(content)))) || '')));
}

// ---- sending requests

function read(op, parameters, inputs, body) {
  let path = op.path;
  const query = new URLSearchParams();
  const headers = {};
  parameters.forEach((parameter, i) => {
    const value = inputs[i].value;
    if (parameter.in === 'path') path = path.replace(`{${parameter.name}}`, encodeURIComponent(value));
    else if (value !== '' && parameter.in === 'header') headers[parameter.name] = value;
    else if (value !== '') query.append(parameter.name, value);
  });
  if ($('key').value) headers.Authorization = 'Bearer ' + $('key').value.trim();
  else if (csrf && op.method !== 'get') headers['X-CSRF-Token'] = csrf;
  if (body) headers['Content-Type'] = 'application/json';
  return { method: op.method.toUpperCase(), url: path + (String(query) && '?' + query), headers, body: body ? body.value : undefined,
    secured: (op.security || api.security).length > 0 };
}

function curlOf(request) {
  const quoted = text => "'" + text.replaceAll("'", "'\\''") + "'";
  const headers = Object.entries(request.headers).filter(([name]) => name !== 'Authorization').map(([name, value]) => '-H ' + quoted(name + ': ' + value));
  if (request.secured) headers.unshift('-H "Authorization: Bearer $TOOLGATE_KEY"'); // never the key itself: commands end up in histories and chats
  return ['curl -i' + (request.method === 'GET' ? '' : ' -X ' + request.method) + ' ' + quoted(location.origin + request.url),
    ...headers, ...(request.body ? ['-d ' + quoted(request.body)] : [])].join(' \\\n  ');
}

const ask = (request, signal) => fetch(request.url, { method: request.method, headers: request.headers, body: request.body, signal,
  credentials: request.headers.Authorization ? 'omit' : 'same-origin', cache: 'no-store', redirect: 'manual' });

async function send(request, answer) {
  if (running) running.abort();
  const mine = running = new AbortController();
  const stop = el('button', { type: 'button', class: 'small', click: () => mine.abort() }, 'Stop');
  const status = el('span', { class: 'status' }, 'Waiting…');
  const out = el('pre', { tabindex: '0' });
  const headers = el('pre', {});
  const card = el('div', { class: 'card' }, el('h2', {}, 'Answer'), el('div', { class: 'bar' }, status, stop), out,
    el('details', {}, el('summary', {}, 'Headers'), headers));
  answer.replaceChildren(card);
  card.scrollIntoView({ block: 'nearest' });
  const begin = performance.now();
  try {
    const response = await ask(request, mine.signal);
    const redirected = response.type === 'opaqueredirect';
    status.textContent = redirected ? 'Redirect' : `${response.status} ${response.statusText} · ${Math.round(performance.now() - begin)} ms`;
    status.className = 'status ' + kind(response.status);
    headers.textContent = [...response.headers].map(([name, value]) => name + ': ' + value).join('\n');
    await body(response, out);
  } catch (failure) {
    if (failure.name === 'AbortError') stop.before(el('span', { class: 'quiet' }, 'stopped'));
    else { status.textContent = 'No answer: ' + failure.message; status.className = 'status bad'; }
  } finally {
    stop.remove();
  }
}

async function body(response, out) {
  const json = (response.headers.get('Content-Type') || '').startsWith('application/json');
  const reader = response.body && response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (let part; reader && !(part = await reader.read()).done;) {
    text += part.value;
    if (!json) out.textContent = text.slice(-MAX_SHOWN); // events are shown as they arrive
    if (text.length > 20 * MAX_SHOWN) { reader.cancel(); break; }
  }
  if (!json) { if (!text) out.textContent = '(empty)'; return; }
  const value = JSON.parse(text);
  if (value && value.csrf_token) csrf = value.csrf_token;
  const shown = pretty(value);
  out.replaceChildren(...(shown.length > MAX_SHOWN ? [shown.slice(0, MAX_SHOWN) + '\n…'] : coloured(shown)));
}

const kind = status => status >= 500 || !status ? 'bad' : status >= 400 ? 'no' : 'ok';

function coloured(json) {
  return json.split(/("(?:[^"\\]|\\.)*"(?:\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)/).map((part, i) => {
    if (i % 2 === 0) return part;
    const what = part.endsWith(':') ? 'name' : part[0] === '"' ? 'string' : /^[tfn]/.test(part) ? 'word' : 'number';
    return el('span', { class: what }, part);
  });
}

async function copy(event, from) {
  const button = event.target;
  try {
    await navigator.clipboard.writeText(from.textContent);
    button.textContent = 'Copied';
  } catch { // without TLS there is no clipboard access: select the text instead
    getSelection().selectAllChildren(from);
    button.textContent = 'Selected; press Ctrl+C';
  }
  setTimeout(() => { button.textContent = 'Copy curl'; }, 2000);
}

async function identify() {
  const key = $('key').value.trim();
  const say = (text, state) => { $('who').textContent = text; $('who').className = state; };
  if (show.update) show.update();
  if (!key) return say('not signed in', '');
  try {
    const response = await ask({ method: 'GET', url: '/api/v1/whoami', headers: { Authorization: 'Bearer ' + key } });
    const who = await response.json();
    say(response.ok ? `${who.agent_id || who.name} · ${who.role} of ${who.tenant_id}` : who.error.message, response.ok ? 'in' : 'out');
  } catch (failure) { say('No answer: ' + failure.message, 'out'); }
}

async function begin() {
  try {
    api = await (await fetch('/openapi.json')).json();
  } catch (failure) {
    $('main').replaceChildren(el('p', { class: 'status bad' }, 'The document cannot be read: ' + failure.message));
    return;
  }
  $('version').textContent = api.info.version;
  $('filter').addEventListener('input', showList);
  $('key').addEventListener('change', identify);
  $('identity').addEventListener('submit', event => { event.preventDefault(); identify(); });
  document.querySelector('.skip').addEventListener('click', event => { event.preventDefault(); $('main').focus(); });
  addEventListener('hashchange', () => { show(); $('main').focus(); });
  addEventListener('keydown', event => {
    if (event.key === '/' && !/INPUT|TEXTAREA|SELECT/.test(document.activeElement.tagName)) { event.preventDefault(); $('filter').focus(); }
  });
  show();
}

begin();
