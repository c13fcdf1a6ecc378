import type { IDataDeduplicator } from 'n8n-workflow';

import type { Clock } from '../../nodes/BusinessMessaging/clock';
import { contextOn } from './processedData.mts';

type Duplicates = typeof import('../../nodes/BusinessMessaging/events/duplicates');

let executions = 0;

/** A process of n8n of its own, whose executions claim events of one trigger in a table. */
export function claimingProcess(table: IDataDeduplicator, clock: Clock, hours = 24) {
	let duplicates: Duplicates | undefined;
	jest.isolateModules(() => {
		duplicates = jest.requireActual<Duplicates>('../../nodes/BusinessMessaging/events/duplicates');
	});
	const log: string[] = [];
	return {
		/** What it warned of: events that run because nobody knows whether they did. */
		log,
		/** @returns whether the execution runs the event */
		async claim(deliveryKey: string, id = `execution ${executions++}`): Promise<boolean> {
			const { context, log: own } = contextOn(table, 'trigger');
			Object.assign(context, {
				getMode: () => 'webhook',
				getExecutionId: () => id,
				addExecutionHints: () => undefined,
			});
			const receivedAt = new Date(clock.now()).toISOString();
			const item = { json: { deliveryKey, receivedAt } };
			const isClaimed = await duplicates?.isOurs(context, item, hours, clock);
			log.push(...own.filter((line) => line.includes('could not be used')));
			return isClaimed === true;
		},
	};
}
