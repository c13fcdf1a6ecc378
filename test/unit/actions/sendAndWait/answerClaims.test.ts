import { claimAnswer } from '../../../../nodes/BusinessMessaging/actions/sendAndWait/answerClaims';

const answerTo = async (question: string, shown = 'Yes') =>
	await claimAnswer(question, { shown, json: {} }, async () => true);

it('the first answer to a question counts until those to a thousand others came', async () => {
	expect(await answerTo('first')).toBeUndefined();
	for (let other = 1; other < 1000; other++) await answerTo(`other ${other}`);
	expect(await answerTo('first', 'No')).toMatchObject({ shown: 'Yes' });
	await answerTo('other 1000');
	expect(await answerTo('first', 'No')).toBeUndefined();
});
