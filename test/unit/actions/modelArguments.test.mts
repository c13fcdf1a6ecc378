import { checkModelArguments } from '../../../nodes/BusinessMessaging/actions/modelArguments';
import { sentencesOf } from '../../support/sentencesOf.mts';

// docs/ai-agents.md: a value that $fromAI names. What a model reads of it: see test/workflow/agentTool.
it('the builder of a workflow reads what to use in place of a field that a model sets', () => {
	const READS = '={{ $json.phone }}';
	// n8n computes a description before, and no fixed text.
	const others = { toolDescription: READS, templateText: READS.slice(1) };
	const parameters = { ...others, to: READS, list: ["={{ $fromAI('phone') }}"] };
	const node = { type: 'businessMessagingTool', parameters };
	const context = { getNode: () => node, getInputData: () => [{ json: {} }] } as never;
	expect(sentencesOf(() => checkModelArguments(context, { fields: [], sends: true }))).toMatch(
		/^to reads .* as phone\. Ask the model by .* such as \{\{ \$\('Trigger'\)\.first\(\)\.json\.phone \}\}\. Nothing was sent\.$/,
	);
});
