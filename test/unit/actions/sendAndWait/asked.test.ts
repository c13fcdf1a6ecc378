import { runInNewContext } from 'node:vm';

import {
	recallAsked,
	storeAsked,
} from '../../../../nodes/BusinessMessaging/actions/sendAndWait/asked';
import { ASKED } from '../../../support/asked.ts';

it.each(['Ask', 'Ask "now"', 'Ask }} now', "Ask \\ 'now'"])(
	'what was asked by the node %s is found by an expression',
	(name) => {
		const memory = {};
		const forNode = (type: string) => (type === 'node' ? memory : {});
		storeAsked({ getContext: forNode } as never, ASKED);
		const evaluateExpression = (expression: string): unknown => {
			const [, code] = /^\{\{([^}]*)\}\}$/.exec(expression)!;
			return runInNewContext(code, { $node: { [name]: { context: memory } } });
		};
		const context = { getNode: () => ({ name }), evaluateExpression };
		expect(recallAsked(context as never)).toEqual(ASKED);
	},
);
