import { causeNamed } from '../errors/catalogue';
import { failureOf, failed, type Failed } from '../errors/failure';
import { statesOf } from '../layouts';
import { type Claim, Claims, type Look } from './claims';
import { digestOf, newOwner } from './rows';

/** A message with the key was sent, or would be in the same dry run. */
type KeyIsTaken = Failed | 'wasSent';

/** Of a key: `open` from before its message is sent. */
const { entriesOf, stateOf } = statesOf(['open', 'sent']);

export const KEY_OUTCOME_UNKNOWN = failed(failureOf(causeNamed('keyOutcomeUnknown'), 'unknown'));

const KEY_OF_OTHER_VERSION = failed(
	failureOf(
		causeNamed('otherVersion', {
			what: 'The Send Once Key',
			rest: 'To send the message, run its item with another key.',
		}),
		'unknown',
	),
);

/** The memory of Send Once Keys. A key belongs to the workflow, whichever node sends it. */
export class SendOnce extends Claims<string, Claim, KeyIsTaken> {
	protected readonly option = 'Send Once Key';

	protected nameOf(key: string): string {
		return `once:${digestOf(key)}`;
	}

	protected async look(key: string, shown: number): Promise<Look<Claim, KeyIsTaken>> {
		const row = this.nameOf(key);
		const state = stateOf(await (await this.openRows()).count(row));
		if (state === 'otherVersion') return { instead: KEY_OF_OTHER_VERSION, isOpen: false };
		if (state === 'sent' || shown > 0) return { instead: 'wasSent', isOpen: false };
		if (state === 'none') return { free: { row, owner: newOwner() } };
		// Nobody in this run sends it any more.
		return { instead: KEY_OUTCOME_UNKNOWN, isOpen: !this.isOwn(row) };
	}

	protected async take(_: string, { row, owner }: Claim): Promise<boolean> {
		return await (await this.openRows()).create(row, owner, entriesOf('open'));
	}

	protected async keep(_: string, { row, owner }: Claim, state: 'ended' | 'open') {
		if (state === 'ended') await (await this.openRows()).create(row, owner, entriesOf('sent'));
	}

	protected async release({ row }: Claim) {
		await (await this.openRows()).remove(row);
	}
}
