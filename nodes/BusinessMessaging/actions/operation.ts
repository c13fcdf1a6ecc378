import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import type { Failure } from '../transport/failure';
import type { Connection } from '../transport/connection';
import type { Exchange } from '../transport/request';

/** What an operation needs to reach the API. */
export interface Session {
	connection: Connection;
	exchange: Exchange;
	/** Epoch ms. */
	now: () => number;
}

export type Result = { json: IDataObject } | { failure: Failure };

/** One operation of the action node. `Job` is what it reads from the parameters of one item. */
export interface Operation<Job> {
	fields: INodeProperties[];
	/** Reads and checks everything of one item. @throws InputError */
	read: (context: IExecuteFunctions, itemIndex: number) => Job;
	run: (job: Job, session: Session) => Promise<Result>;
}
