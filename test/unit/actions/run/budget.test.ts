import { createBudget } from '../../../../nodes/BusinessMessaging/actions/run/budget';

it('a price is raised up to the limit of all together, and not above it', () => {
	const budget = createBudget([0, 0, 0.115], 0.345);
	expect(budget.raise(0, 0.115)).toBe(true);
	expect(budget.raise(1, 0.8631)).toBe(false);
	expect(budget.raise(1, 0.115)).toBe(true);
});

it('an item whose price is known already costs nothing more', () => {
	const budget = createBudget([0.115, 0], 0.115);
	expect(budget.raise(0, 0.115)).toBe(true);
	expect(budget.raise(1, 0.115)).toBe(false);
});
