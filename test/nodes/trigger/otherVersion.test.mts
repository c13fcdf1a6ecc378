import { execute } from '../../support/executedTrigger.mts';
import { incoming, post } from '../../support/webhookDouble.mts';

// docs/update.md: an older version refuses what a newer one has saved
it('a trigger of a newer version runs nothing, and the sender delivers the event again', async () => {
	const newer = { settings: { typeVersion: 3 } };
	const { status, items, log } = await post(incoming(), {}, newer);
	expect([status, items]).toEqual([500, undefined]);
	expect(JSON.stringify(log)).toContain(
		'This node has version 3, but this package knows none above 2',
	);
	await expect(execute([{ event: 'message.incoming' }], newer)).rejects.toThrow('has version 3');
	const { status: ofKnown } = await post(incoming(), {}, { settings: { typeVersion: 2 } });
	expect(ofKnown).toBe(200);
});
