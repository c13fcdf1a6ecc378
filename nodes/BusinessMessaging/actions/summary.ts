import type { NodeExecutionHint } from 'n8n-workflow';

import { showAmount, sumOf } from '../template/price';
import type { Result } from './operation';

const MAX_REASONS = 5;

/**
 * The line above the output: what was sent, what failed and why, waiting time and cost.
 * @returns undefined when there is nothing to say beyond the items themselves
 */
export function summarize(results: Result[], waitedMs: number): NodeExecutionHint | undefined {
	const sent = results.flatMap(({ sent }) => sent ?? []);
	const estimates = results.flatMap(({ estimate }) => estimate ?? []);
	const failures = results.flatMap((result) => ('failure' in result ? [result.failure] : []));
	if (sent.length + estimates.length + failures.length === 0) return undefined;

	const parts = [
		estimates.length > 0 &&
			`Dry run: ${sent.length === 0 ? 'nothing was sent. ' : ''}${messages(estimates.length)} would cost about ${showAmount(sumOf(estimates))}`,
		sent.length > 0 && `${messages(sent.length)} sent, ${costOf(sent)}`,
		failures.length > 0 && `${failures.length} failed: ${reasons(failures)}`,
		waitedMs >= 1000 && `Waited ${showDuration(waitedMs)} for the rate limit`,
	].filter((part) => typeof part === 'string');
	return {
		message: `${parts.join('. ')}.`,
		type: failures.length > 0 ? 'warning' : 'info',
		location: 'outputPane',
	};
}

function messages(count: number): string {
	return count === 1 ? '1 message' : `${count.toLocaleString('en-US')} messages`;
}

function costOf(sent: Array<{ cost?: number; currency?: string }>): string {
	const costs = sent.flatMap(({ cost }) => cost ?? []);
	const currencies = new Set(sent.flatMap(({ currency }) => currency ?? []));
	if (costs.length < sent.length) return 'but the API did not give the cost of every message';
	if (currencies.size > 1) return 'at costs in several currencies';
	return `cost ${showAmount(sumOf(costs), [...currencies][0])}`;
}

function reasons(failures: Array<{ message: string }>): string {
	const counts = new Map<string, number>();
	for (const { message } of failures) {
		// Quoted values differ from item to item; the reason is the same.
		const reason = message.replace(/ "[^"]*"/g, '');
		counts.set(reason, (counts.get(reason) ?? 0) + 1);
	}
	const sorted = [...counts].sort(([, a], [, b]) => b - a);
	const shown = sorted.slice(0, MAX_REASONS).map(([reason, count]) => `${count} × ${reason}`);
	return sorted.length > MAX_REASONS ? `${shown.join('; ')}; and others` : shown.join('; ');
}

function showDuration(ms: number): string {
	const seconds = Math.round(ms / 1000);
	return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}
