/**
 * The layouts of what outlives a run. STATE.md lists all of it. Whoever stores something so that another version of this
 * package would misread it raises the number here: that version then sends nothing, and says why.
 */
const LAYOUTS = {
	/** Of the execution's context of the node. */
	context: 1,
	// Of rows, by the first word of their names. A row with another name would be no row, and its message would be sent.
	begun: 1,
	cap: 1,
	once: 1,
	retried: 1,
	sent: 1,
	tool: 1,
};

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

/** In a context without a number. */
const FIRST_LAYOUT = 1;

/** Gives a context that is still empty its layout. @returns whether this version can read it */
export function claimContext(context: NodeContext): boolean {
	const isNew = Object.keys(context).length === 0;
	if (isNew && LAYOUTS.context !== FIRST_LAYOUT) context.layout = LAYOUTS.context;
	return isReadable(context.layout);
}

export function isReadable(layout: unknown = FIRST_LAYOUT): boolean {
	return layout === LAYOUTS.context;
}

/** In place of what this version can't read. */
export class OtherVersion extends Error {
	constructor() {
		super('another version of this package has saved it');
	}
}

/** How many entries rows of earlier layouts have. @param most of one layout */
export function entriesBefore(kind: keyof typeof LAYOUTS, most: number): number {
	return (LAYOUTS[kind] - 1) * most;
}

/** More than a kind of row has states. */
const MAX_STATES = 8;

/**
 * The states of a kind of row. n8n gives nothing of a row back but its number of entries, so each state of each layout
 * has a number of its own. A row goes only from one state to a later one, because entries can only be added.
 */
export function statesOf<State extends string>(
	kind: Exclude<keyof typeof LAYOUTS, 'context'>,
	states: readonly State[],
) {
	const before = entriesBefore(kind, MAX_STATES);
	return {
		entriesOf: (state: State): number => before + states.indexOf(state) + 1,
		stateOf: (entries: number): State | 'none' | 'otherVersion' =>
			entries === 0 ? 'none' : (states[entries - 1 - before] ?? 'otherVersion'),
	};
}
