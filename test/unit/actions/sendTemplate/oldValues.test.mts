import type { INodeParameters } from 'n8n-workflow';

import { checkTemplateText } from '../../../../nodes/BusinessMessaging/actions/sendTemplate/readVariables';
import { NODE } from '../../../support/sendNode.mts';
import { sentencesOf } from '../../../support/sentencesOf.mts';

let executions = 0;

/** Runs a node by hand. @returns why it was stopped */
function run(id: string, parameters: INodeParameters): string {
	const executionId = String(++executions);
	const context = {
		getMode: () => 'manual',
		getNode: () => ({ ...NODE, id, parameters }),
		getWorkflow: () => ({ id: 'w1' }),
		getExecutionId: () => executionId,
	};
	return sentencesOf(() => checkTemplateText(context as never));
}

const OLD = { templateText: 'Hi {{1}}', variable1: 'Asha' };
const NEW = { ...OLD, templateText: 'Code {{1}}' };

const PASSED = 'Nothing was refused';
const STOPPED = expect.stringContaining('Check the values of {{1}} ("Code {{1}}").');

it('a node whose template text replaced another one, but not its values, is stopped', () => {
	expect([OLD, NEW].map((parameters) => run('a', parameters))).toEqual([PASSED, STOPPED]);
});

it('a placeholder that was added without a value is named too', () => {
	const added = { ...OLD, templateText: 'Code {{1}} of {{2}}' };
	const stopped = expect.stringContaining('values of {{1}} ("Code {{1}} of"), {{2}} (');
	expect([OLD, added].map((parameters) => run('b', parameters))).toEqual([PASSED, stopped]);
});

it('values belong to the text of the run before, even if that run showed nothing', () => {
	const dry = { ...OLD, templateText: 'Hi {{1}} [2]', options: { dryRun: true } };
	expect([dry, NEW].map((parameters) => run('c', parameters))).toEqual([PASSED, STOPPED]);
});

// The values of another source, or of no text, are not those of this text.
it.each<[string, INodeParameters]>([
	['other values', { ...NEW, variablesInput: 'json' }],
	['no text', { variable1: 'Asha' }],
	['an empty text', { ...OLD, templateText: '' }],
	['wrong placeholders', { ...OLD, templateText: 'Hi {{name}}' }],
])('a run with %s is neither stopped nor forgets the run before it', (id, between) => {
	expect([OLD, between, NEW].map((parameters) => run(id, parameters))).toEqual([
		PASSED,
		PASSED,
		STOPPED,
	]);
});

it('a fixed number of nodes is remembered; the one that ran longest ago is forgotten first', () => {
	for (const id of ['first', 'second', 'first']) run(id, OLD);
	for (let other = 0; other < 999; other++) run(`other ${other}`, OLD);
	expect([run('first', NEW), run('second', NEW)]).toEqual([STOPPED, PASSED]);
});
