import { byId, element, linkTo } from './dom.js';

/** What the demo has set up in n8n, if it did: what to try, and where it is in the editor. */
export function showDemo({ editor, login, workflows }) {
	byId('editor').href = editor;
	byId('login').textContent = `Log in as ${login}`;
	for (const id of ['editor', 'login', 'workflows']) byId(id).hidden = editor === '';
	byId('workflows').replaceChildren(...workflows.map(workflowItem));
}

/** A link to what a workflow did. */
export const runsOf = ({ name, url }) => linkTo(`${url}/executions`, name);

function workflowItem({ name, url, about, link }) {
	const to = link ? [' ', linkTo(link.url, link.text)] : [];
	return element('li', {}, linkTo(url, name), element('p', {}, about, ...to));
}
