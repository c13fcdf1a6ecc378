import { ASSUMPTIONS, findings } from './assumptions.mts';
import { observe, type Target } from './observe.mts';

/** Checks an API and says what it found, without a key in it. @returns how many assumptions failed */
export async function report(
	target: Target,
	print: (line: string) => void,
	sleep: (ms: number, why: string) => Promise<void>,
): Promise<number> {
	const seen = await observe(target, sleep);
	const say = (line: string) => {
		const keys = [target.key, target.otherKey].filter((key) => key !== undefined);
		print(keys.reduce((shown, key) => shown.replaceAll(key, () => '…'), line));
	};
	const results = ASSUMPTIONS.map((assumption) => ({
		...assumption,
		problems: assumption.against(seen),
	}));
	for (const { says, file, needs, problems } of results) {
		if (!problems) say(`? ${says} Not seen${needs ? `: it needs ${needs}` : ''}.`);
		else if (problems.length === 0) say(`✓ ${says}`);
		else {
			say(`✗ ${says}`);
			for (const problem of new Set(problems)) say(`    ${problem}`);
			say(`    Held by nodes/BusinessMessaging/${file}`);
		}
	}
	say('\nWhat the API document leaves open:');
	for (const finding of findings(seen)) say(`  ${finding}`);
	const checked = results.filter(({ problems }) => problems);
	const failed = checked.filter(({ problems }) => problems?.length).length;
	say(`\n${checked.length - failed} of ${checked.length} assumptions hold.`);
	return failed;
}
