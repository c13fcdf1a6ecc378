import type { INodeProperties, INodeTypeDescription } from 'n8n-workflow';

const STEPS = [
	'Choose a Webhook Secret, about 30 random letters and digits, and enter it in the credential.',
	'Copy the Production URL above and add ?token= and the secret to its end.',
	'Paste it into your dashboard: Settings → Webhooks.',
	'Publish this workflow. The URL answers only while it is published.',
];

const OPEN_STEPS = [
	'Copy the Production URL above and paste it into your dashboard: Settings → Webhooks.',
	'Publish this workflow. The URL answers only while it is published.',
];

const OPEN_WARNING = 'Anyone who knows the URL can start this workflow.';

/** Notices keep no other tags than bullets and links. */
function numbered(steps: string[]): string {
	return `<ul>${steps.map((step, index) => `<li>${index + 1}. ${step}</li>`).join('')}</ul>`;
}

/** How to connect the trigger, at its top. */
export const setUpNotice: INodeProperties = {
	displayName: numbered(STEPS),
	name: 'setUpNotice',
	type: 'notice',
	default: '',
	displayOptions: { show: { authentication: ['secretToken'] } },
};

export const openNotice: INodeProperties = {
	displayName: `${OPEN_WARNING} ${numbered(OPEN_STEPS)}`,
	name: 'openNotice',
	type: 'notice',
	default: '',
	displayOptions: { show: { authentication: ['none'] } },
};

const TWO_URLS =
	'<b>To try it out</b>, click <b>Execute step</b> and let your dashboard send to the <b>Test URL</b>: it works once after each click, and the event shows up here.<br><br><b>For real use</b>, the dashboard must have the <b>Production URL</b>';

/** What the editor says beside the node before the first event. */
export const triggerPanel: INodeTypeDescription['triggerPanel'] = {
	header: 'Receive events from your account',
	executionsHelp: {
		inactive: `${TWO_URLS}, and the workflow must be published. Its executions show up in the executions list, not here.`,
		active: `${TWO_URLS}. This workflow is published: its executions show up in the <a data-key="executions">executions list</a>, not here.`,
	},
	activationHint: 'When it works, follow the steps at the top of this node.',
};
