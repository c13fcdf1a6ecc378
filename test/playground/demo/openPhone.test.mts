import { browserProgram } from '../../../playground/demo/openPhone.mts';

const darwin = { platform: 'darwin', env: {}, isTerminal: true } as const;
const linux = { platform: 'linux', env: { DISPLAY: ':0' }, isTerminal: true } as const;

// README, Try it without an account: opens the phone
test.each([
	['macOS', darwin, 'open'],
	['a Linux desktop', linux, 'xdg-open'],
	['Linux without a screen', { ...linux, env: {} }, undefined],
	['CI on Linux', { ...linux, isTerminal: false }, undefined],
])('on %s the demo opens the phone with what is there', (_name, surroundings, program) => {
	expect(browserProgram(surroundings)).toBe(program);
});
