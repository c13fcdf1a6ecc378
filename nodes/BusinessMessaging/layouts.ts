/** The newest versions of the nodes: what workflows store as `typeVersion`. */
export const ACTION_VERSION = 1;
/** For 1, n8n computes an expression for each request, which takes it longer than all the rest. */
export const TRIGGER_VERSION = 2;

/** What the nodes keep in the execution's context of the node, which n8n stores with the execution. */
export type NodeContext = Partial<
	Record<
		| 'asked'
		| 'askedRounds'
		| 'layout'
		| 'ledger'
		| 'reviews'
		| 'sentMessages'
		| 'testedItems'
		| 'testMessages',
		unknown
	>
>;

/** Of a context without a number. If this version would misread what a later one stores, that one writes a higher number. */
const FIRST_LAYOUT = 1;

/** @param layout of a context */
export function isReadable(layout: unknown = FIRST_LAYOUT): boolean {
	return layout === FIRST_LAYOUT;
}

/** In place of what this version can't read. */
export class OtherVersion extends Error {
	constructor() {
		super('another version of this package has saved it');
	}
}

/**
 * The states of a kind of row. n8n gives nothing of a row back but its number of entries, so that tells the state. A row
 * goes only from one state to a later one, because entries can only be added.
 * @param states a state keeps its place for ever, also when it is not written any more: a new one comes last. So another
 * version knows what it can't read. Not a new name of the row: it would be no row, and its message would be sent.
 */
export function statesOf<State extends string>(states: readonly State[]) {
	return {
		entriesOf: (state: State): number => states.indexOf(state) + 1,
		stateOf: (entries: number): State | 'none' | 'otherVersion' =>
			entries === 0 ? 'none' : (states[entries - 1] ?? 'otherVersion'),
	};
}
