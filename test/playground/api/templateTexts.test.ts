import { TEMPLATE_TEXTS } from '../../../playground/api/wellKnown.ts';
import { examples } from '../../support/examples.ts';

test.each(examples)('the phone knows the templates of %s', (_, { nodes }) => {
	const sent = nodes.map(({ parameters }) => parameters).filter((each) => each.templateName);
	for (const { templateName, templateText } of sent) {
		expect(TEMPLATE_TEXTS[String(templateName)]).toEqual(templateText ?? expect.any(String));
	}
});
