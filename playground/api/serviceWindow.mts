const WINDOW_MS = 24 * 60 * 60 * 1000;

/** Who wrote when: service messages may go to a customer for 24 hours after the customer's last message. */
export function createServiceWindows() {
	const lastMessageAt = new Map<string, number>();

	return {
		open(customer: string, now: number): void {
			lastMessageAt.set(digitsOf(customer), now);
		},
		isOpen(customer: string, now: number): boolean {
			const openedAt = lastMessageAt.get(digitsOf(customer));
			return openedAt !== undefined && now - openedAt < WINDOW_MS;
		},
		clear(): void {
			lastMessageAt.clear();
		},
	};
}

export type ServiceWindows = ReturnType<typeof createServiceWindows>;

// The sender of an incoming message is a number in a format that the document does not fix.
function digitsOf(number: string): string {
	return number.replace(/\D/g, '');
}
