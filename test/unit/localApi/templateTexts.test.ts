import { globSync, readFileSync } from 'node:fs';
import { TEMPLATE_TEXTS } from '../../../playground/api/wellKnown.ts';

interface Example {
	nodes: Array<{ parameters: { templateName?: string; templateText?: string } }>;
}

test.each(globSync('examples/*.json'))('the phone knows the templates of %s', (file) => {
	const { nodes } = JSON.parse(readFileSync(file, 'utf8')) as Example;
	const sent = nodes.map(({ parameters }) => parameters).filter((each) => each.templateName);
	for (const { templateName, templateText } of sent) {
		expect(TEMPLATE_TEXTS[templateName!]).toEqual(templateText ?? expect.any(String));
	}
});
