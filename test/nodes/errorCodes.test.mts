import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { localAccount } from '../support/localAccount.mts';
import { BY_HAND, CONTINUE } from '../support/runNode.mts';

const { api, send, look, sendTo } = localAccount();

const codesOf = (json: IDataObject[]) =>
	json.map(({ error }) => (error as IDataObject | undefined)?.code);

// docs/outputs.md: an If or Switch node can branch on the code
it('each failed item of a run has its own code', async () => {
	const codes = {
		'+12025550147': 'windowClosed',
		nobody: 'wrongRecipient',
		'+12025550126': 'notOnNetwork',
		'+14155552671': undefined,
		'+12025550149': 'networkHeldBack',
		'+12025550150': 'customerOptedOut',
		'+12025550141': 'keyRejected',
	};
	const options = { requestsPerMinute: 0, concurrency: 1 };
	const { json } = await sendTo(Object.keys(codes), options, CONTINUE);
	expect(codesOf(json)).toEqual(Object.values(codes));
});

// docs/sending.md: what the network holds back goes out tomorrow; an opt-out has no such time
it.each([400, 500])('a refusal with %i says from when on it may be sent again', async (status) => {
	api().settings.networkErrorStatus = status;
	const { json } = await sendTo(
		['+12025550149', '+12025550150'],
		{ requestsPerMinute: 0 },
		CONTINUE,
	);
	const errors = json.map(({ error }) => error as IDataObject);
	const isRefused = status === 400;
	// After 500 the message may have been sent.
	const outcome = isRefused ? 'rejected' : 'unknown';
	expect(errors).toMatchObject([
		{ outcome, retryable: isRefused },
		{ outcome, retryable: false },
	]);
	const waitMs = Date.parse(String(errors[0].sendAfter)) - Date.now();
	expect(Math.round(waitMs / 60_000)).toEqual(isRefused ? 24 * 60 : NaN);
	expect(errors[1]).not.toHaveProperty('sendAfter');
});

const TEXT = { variablesInput: 'templateText', templateText: 'Hi {{1}}!', variable1: 'Asha' };

it.each<[string, INodeParameters]>([
	['wrongTemplateName', { templateName: ' ' }],
	['wrongCategory', { category: '={{ "cheap" }}' }],
	['wrongVariable', { ...TEXT, variable1: '={{ "" }}' }],
	['wrongOption', { options: { timeout: '={{ "soon" }}' } }],
	['wrongOption', { options: { concurrency: '={{ "many" }}' } }],
	['wrongOption', { options: { defaultCountry: '={{ "Atlantis" }}' } }],
	['wrongOption', { options: { testRecipient: 'nobody' } }],
	['wrongOption', { options: '={{ $json.options }}' }],
	['wrongOption', { options: { includeInputFields: '={{ "maybe" }}' } }],
	['wrongInput', { templateName: '={{ $json.a. }}' }],
	['wrongQuestion', { operation: 'sendAndWait', message: ' ' }],
	['overLimit', { options: { spendingLimit: 0.01 } }],
])('what can not be sent has the code %s: %j', async (code, parameters) => {
	const { json } = await send(parameters, undefined, CONTINUE, BY_HAND);
	expect(codesOf(json)).toEqual([code]);
	expect(api().calls).toEqual([]);
});

it('a wrong message ID and credential have their codes', async () => {
	const wrongId = await look({ messageId: 'two words' }, [{}], CONTINUE);
	const unusable = await send({}, undefined, CONTINUE, { baseUrl: 'not an address' });
	expect(wrongId.json).toMatchObject([{ error: { outcome: null } }]);
	expect(codesOf([...wrongId.json, ...unusable.json])).toEqual([
		'wrongMessageId',
		'wrongCredential',
	]);
});
