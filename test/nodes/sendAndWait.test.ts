import { BusinessMessaging } from '../../nodes/BusinessMessaging/BusinessMessaging.node';
import { ASKED } from '../support/asked.ts';
import { visit } from '../support/askedWebhook.ts';
import { localAccount } from '../support/localAccount.ts';

const { bodies, send } = localAccount();

const ASK = {
	operation: 'sendAndWait',
	variablesInput: 'list',
	variableList: { variables: [{ value: '[link]' }] },
	message: 'May we?',
};

it('a question is sent with its link, and the workflow waits for the answer', async () => {
	const { run } = await send(ASK);
	expect(bodies()).toMatchObject([
		{ templateVariables: { 1: expect.stringMatching(/^http.*[?&]round=/) } },
	]);
	expect(run.waitTill).toEqual(expect.any(Date));
});

it('a message that asks nothing lets the workflow go on', async () => {
	expect((await send({})).run.waitTill).toBeUndefined();
});

it('who opens the link sees the question', async () => {
	const { context, sent } = visit({ ...ASKED, until: Infinity }, { method: 'GET' });
	expect(await new BusinessMessaging().webhook.call(context)).toEqual({ noWebhookResponse: true });
	expect(sent).toMatchObject({ status: 200, body: expect.stringContaining('May we?') });
});
