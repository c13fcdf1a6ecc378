import { CUSTOMER, NEVER_READ } from '../../../playground/api/wellKnown.ts';
import { actionEditor } from '../../support/actionEditor.ts';
import { actionWorkflow } from '../../support/actionWorkflow.ts';

const { api, editor } = actionEditor('Run in the editor', (credential) => {
	const workflow = actionWorkflow(credential, {
		to: '={{ $json.phone }}',
		templateName: 'order_shipped',
		templateText: 'Hi {{1}}, your order {{2}} is on its way.',
		variable1: '={{ $json.name }}',
		variable2: 'A-17',
	});
	workflow.pinData = {
		Start: [
			{ json: { name: 'Asha', phone: CUSTOMER } },
			{ json: { name: 'Mira', phone: NEVER_READ } },
		],
	};
	return workflow;
});

test('the output panel says what was sent and what it cost, above the messages', async () => {
	const { output, execute, screenshot } = editor();
	await execute();
	await output.getByText('2 messages sent, cost INR 0.23.').waitFor();
	await output.getByText('Hi Asha, your order A-17 is on its way.').first().waitFor();
	await output
		.getByText([...api().messages.keys()][0])
		.first()
		.waitFor();
	await screenshot('run');
});
