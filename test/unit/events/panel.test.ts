import {
	LISTENING,
	openNotice,
	PUBLISHED,
	setUpNotice,
	triggerPanel,
} from '../../../nodes/BusinessMessaging/events/panel';

const NOTICE = /^([^<]*)<ul>(<li>.*<\/li>)<\/ul>$/;

/** What a notice says before its steps, and its steps. */
function read(notice: { displayName: string }) {
	const [, before, list] = NOTICE.exec(notice.displayName) ?? [];
	return { before, steps: list.slice('<li>'.length, -'</li>'.length).split('</li><li>') };
}

describe('the steps at the top of the trigger', () => {
	it.each([
		['with a secret', setUpNotice, 'secretToken', 4],
		['without authentication', openNotice, 'none', 3],
	])(
		'%s are sentences under the bullets of n8n, shown then only',
		(_, notice, authentication, count) => {
			const { steps } = read(notice);
			expect(steps).toHaveLength(count);
			for (const step of steps) expect(step).toMatch(/^[A-Z].{20,}\.$/);
			expect(notice).toMatchObject({ type: 'notice', default: '' });
			expect(notice.displayOptions).toEqual({ show: { authentication: [authentication] } });
		},
	);

	it('say where the secret goes, and what to open to see the URL', () => {
		const { before, steps } = read(setUpNotice);
		expect(before).toBe('To receive events: ');
		expect(steps.join(' ')).toMatch(/Webhook Secret.*Open Webhook URLs.*Production URL.*\?token=/);
		expect(steps.join(' ')).toContain('Publish');
	});

	it('warn of an address that is open, and do not speak of a token', () => {
		const { before, steps } = read(openNotice);
		expect(before).toMatch(/^Anyone .*\. To receive events: $/);
		expect(steps.join(' ')).toMatch(/Open Webhook URLs.*Production URL.*Publish/);
		expect(steps.join(' ')).not.toMatch(/token|secret/i);
	});
});

describe('the panel beside the trigger', () => {
	const panel = triggerPanel as Extract<typeof triggerPanel, { header?: string }>;

	it('says what it waits for and where to look afterwards', () => {
		expect(panel.header).toMatch(/events/);
		expect(panel.activationHint).toMatch(/Test URL.*\?token=.*steps at the top/);
		expect(LISTENING).toMatch(/^Waiting for an event at the Test URL/);
		expect(PUBLISHED).toMatch(/Production URL.*and not the Test URL\.$/);
	});

	it.each([
		['inactive', /must be published/],
		['active', /is published.*<a data-key="executions">/],
	])('tells both URLs apart for an %s one, and what comes next', (state, next) => {
		const help = (panel.executionsHelp as Record<string, string>)[state];
		expect(help).toMatch(/Test URL.*\?token=.*once.*Production URL/);
		expect(help).toMatch(next);
	});
});
