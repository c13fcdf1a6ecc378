import { OPERATIONS } from '../unit/structure/publicInterface.mts';

const { options: FOR_EXPERTS = {} } = OPERATIONS.sendTemplate.expertOptions;

/**
 * Tests write all options of the action under `options`.
 * @returns the parameters with the options for experts in the field that has them, unless a test has filled it
 */
export function inTheirFields<Parameters extends object>(parameters: Parameters): Parameters {
	const { options } = parameters as { options?: unknown };
	const isFlat = typeof options === 'object' && options !== null && !Array.isArray(options);
	if (!isFlat || 'expertOptions' in parameters) return parameters;
	const [ofAll, ofExperts] = [false, true].map((isForExperts) =>
		Object.fromEntries(
			Object.entries(options).filter(([name]) => name in FOR_EXPERTS === isForExperts),
		),
	);
	return { ...parameters, options: ofAll, expertOptions: ofExperts };
}
