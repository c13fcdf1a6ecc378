import { Spending } from '../../../../nodes/BusinessMessaging/actions/options/spendingLimit';

const PRICE = 0.115;
const INDIA = '+919876543210';
const GERMANY = '+4915123456789';
const utility = (to = INDIA) => ({ category: 'utility', to }) as const;

it('has exactly the limit, and what was not processed is there again', () => {
	const spending = new Spending(2 * PRICE);
	const [first, second, third] = Array.from({ length: 3 }, () => spending.reserve(utility()));
	expect([second, third, spending.spent]).toEqual([expect.anything(), undefined, 2 * PRICE]);
	first?.cancel();
	expect(spending.spent).toBe(PRICE);
	spending.reserve(utility())?.settle({ cost: 3 * PRICE });
	expect(spending.reserve(utility())).toBeUndefined();
	// A free message passes, whatever the others have cost.
	expect(spending.reserve({ category: 'service', to: INDIA })).toBeDefined();
});

it.each([
	['the cost in INR', { cost: 0.5, currency: 'INR' }, 0.5],
	['the cost without a currency', { cost: 0.05 }, 0.05],
	['the price, when the cost is in another currency', { cost: 9, currency: 'USD' }, PRICE],
	['the price, when no cost is told', {}, PRICE],
])('a sent message counts with %s', (_, receipt, spent) => {
	const spending = new Spending(1);
	spending.reserve(utility())?.settle(receipt);
	expect(spending.spent).toBe(spent);
});

it('expects the highest cost so far of the category in the country', () => {
	const spending = new Spending(100);
	const settle = (to: string, cost: number, currency?: string) =>
		spending.reserve(utility(to))?.settle({ cost, currency });
	settle(GERMANY, 4.9);
	settle(GERMANY, 3.1);
	settle(GERMANY, 9, 'EUR');
	settle('+14155552671', 0.05);
	const sentBefore = { message_id: 'm1', to: '+447400123456', category: 'utility' };
	const costs = [4.5, { amount: 0.2, currency: 'INR' }, { amount: 9, currency: 'EUR' }, undefined];
	for (const cost of costs) spending.learn({ ...sentBefore, cost });
	const numbers = ['+4917012345678', '+447400123457', INDIA, '+12025550123'];
	const priced = [{ category: 'marketing', to: GERMANY } as const, ...numbers.map(utility)];
	// A discount is no promise for the next message.
	expect(priced.map((each) => spending.priceOf(each))).toEqual([0.8631, 4.9, 4.5, PRICE, PRICE]);
});
