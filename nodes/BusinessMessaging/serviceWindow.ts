/** 8.3: replies are free for 24 hours from the customer's message. */
export const SERVICE_WINDOW_MS = 24 * 60 * 60 * 1000;

/** Whether the window that a customer's message opened is still open; both epoch ms. */
export function isWindowOpen(customerLastMessageAt: number, now: number): boolean {
	return now < customerLastMessageAt + SERVICE_WINDOW_MS;
}
