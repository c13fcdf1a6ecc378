import type { INodeProperties, INodeTypeDescription } from 'n8n-workflow';
import { MIN_SECRET_LENGTH } from '../webhookSecret';

const COPY =
	'Open Webhook URLs, at the top of this panel, choose Production URL and click the URL to copy it.';
const ENTER = 'in your dashboard: Settings → Webhooks.';
const PUBLISH = 'Publish this workflow. The URL answers only while it is published.';

/** How to connect the trigger, at its top. Notices keep no other tags than these and links. */
function stepsFor(authentication: string, name: string, lead: string, steps: string[]) {
	return {
		displayName: `${lead}To receive events: <ul>${steps.map((step) => `<li>${step}</li>`).join('')}</ul>`,
		name,
		type: 'notice',
		default: '',
		displayOptions: { show: { authentication: [authentication] } },
	} satisfies INodeProperties;
}

export const setUpNotice = stepsFor('secretToken', 'setUpNotice', '', [
	`Enter a Webhook Secret in the credential: at least ${MIN_SECRET_LENGTH} random letters and digits.`,
	COPY,
	`Add ?token= and the secret to its end, and enter it ${ENTER}`,
	PUBLISH,
]);

const OPEN_WARNING = 'Anyone who knows the URL can start this workflow. ';
export const openNotice = stepsFor('none', 'openNotice', OPEN_WARNING, [
	COPY,
	`Enter it ${ENTER}`,
	PUBLISH,
]);

const TWO_URLS =
	'<b>To try it out</b>, enter the <b>Test URL</b> in your dashboard, with ?token= and the secret at its end if you use one, click <b>Execute step</b> and cause an event: it shows up here. So does the reason when one is refused or ignored. The URL works once after each click.<br><br><b>For real use</b>, the dashboard must have the <b>Production URL</b>';

/** What the editor says beside the node before the first event. */
export const triggerPanel: INodeTypeDescription['triggerPanel'] = {
	header: 'Receive events from your account',
	executionsHelp: {
		inactive: `${TWO_URLS}, and the workflow must be published. Its executions show up in the executions list, not here.`,
		active: `${TWO_URLS}. This workflow is published: its executions show up in the <a data-key="executions">executions list</a>, not here.`,
	},
	activationHint:
		'Your dashboard must send to the Test URL, which is under Webhook URLs, with ?token= and the secret at its end. When it works, follow the steps at the top of this node.',
};

/** Below the node on the canvas, and in the panel, while the editor listens. */
export const LISTENING =
	'Waiting for an event at the Test URL, for example a message to your business number';

/** What the editor says when the workflow has been published. */
export const PUBLISHED =
	'This workflow now starts with each chosen event that reaches its Production URL. Your dashboard must have that URL, under Settings → Webhooks, and not the Test URL.';
