import { Budget } from '../../../nodes/BusinessMessaging/actions/budget';

const PRICE = 0.115;

it('has exactly the limit, and what was not processed is there again', () => {
	const budget = new Budget(2 * PRICE);
	const reserved = [budget.reserve(PRICE), budget.reserve(PRICE), budget.reserve(PRICE)];
	expect(reserved).toEqual([true, true, false]);
	expect(budget.spent).toBe(2 * PRICE);
	budget.cancel(PRICE);
	expect([budget.spent, budget.reserve(PRICE)]).toEqual([PRICE, true]);
});

it('lets a free message pass, whatever the others have cost', () => {
	const budget = new Budget(PRICE);
	budget.reserve(PRICE);
	budget.settle(PRICE, { cost: 2 * PRICE });
	expect([budget.reserve(PRICE), budget.reserve(0), budget.spent]).toEqual([
		false,
		true,
		2 * PRICE,
	]);
});

it('counts what earlier attempts have spent, and tells its limit', () => {
	const budget = new Budget(0.5, 0.4);
	expect([budget.reserve(PRICE), budget.limit]).toEqual([false, 0.5]);
});

it.each([
	['the cost in INR', { cost: 0.5, currency: 'INR' }, 0.5],
	['the cost without a currency', { cost: 0.05 }, 0.05],
	['the price, when the cost is in another currency', { cost: 9, currency: 'USD' }, PRICE],
	['the price, when no cost is told', {}, PRICE],
])('a sent message counts with %s', (_, sent, spent) => {
	const budget = new Budget(1);
	budget.reserve(PRICE);
	budget.settle(PRICE, sent);
	expect(budget.spent).toBe(spent);
});
