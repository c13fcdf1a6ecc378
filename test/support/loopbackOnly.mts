import { Socket } from 'node:net';

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|::1|::ffff:127(?:\.\d{1,3}){3})$/;
const GUARDED = Symbol.for('sockets reach loopback only');

/** Node passes options or, from `net.connect` and undici, already normalized arguments in an array. */
function targetOf([first, second]: unknown[]): { path?: unknown; host?: unknown } {
	if (Array.isArray(first)) return targetOf(first);
	if (typeof first === 'object' && first !== null) return first;
	return typeof first === 'string' ? { path: first } : { host: second };
}

// SECURITY, The package: no request to any other address
// `node:net` is one and the same for all test files of a worker, so the guard may be there already.
if (!(GUARDED in Socket.prototype)) {
	const connect = Socket.prototype.connect;
	const guarded = function (this: Socket, ...input: unknown[]) {
		const { path, host } = targetOf(input);
		const address = typeof host === 'string' ? host : 'localhost';
		if (typeof path === 'string' || LOOPBACK.test(address))
			return Reflect.apply(connect, this, input);
		const refusal = new Error(`Tests reach loopback addresses only, not ${address}.`);
		// Later, as a real refusal comes: the caller has not put its error listener on yet.
		setImmediate(() => this.destroy(refusal));
		return this;
	};
	Object.assign(Socket.prototype, { connect: guarded, [GUARDED]: true });
}
