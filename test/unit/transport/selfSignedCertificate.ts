import { generateKeyPairSync, sign } from 'node:crypto';

const SEQUENCE = 0x30;
const BIT_STRING = 0x03;
const UTC_TIME = 0x17;

const SERIAL_NUMBER = Buffer.from('020101', 'hex');
const ED25519 = Buffer.from('300506032b6570', 'hex');
const CN_LOCALHOST = Buffer.from('30143112301006035504030c096c6f63616c686f7374', 'hex');

/** One DER element; none here is longer than 255 bytes. */
function element(tag: number, ...parts: Buffer[]): Buffer {
	const content = Buffer.concat(parts);
	const size = content.length < 0x80 ? [content.length] : [0x81, content.length];
	return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

/** A certificate that nobody trusts, and its key, both new each time (RFC 5280, as little as works). */
export function createSelfSignedCertificate(): { cert: string; key: string } {
	const { privateKey, publicKey } = generateKeyPairSync('ed25519');
	const dates = ['200101000000Z', '491231235959Z'];
	const validity = element(SEQUENCE, ...dates.map((date) => element(UTC_TIME, Buffer.from(date))));
	const spki = publicKey.export({ type: 'spki', format: 'der' });
	const content = element(
		SEQUENCE,
		...[SERIAL_NUMBER, ED25519, CN_LOCALHOST, validity, CN_LOCALHOST, spki],
	);
	const signature = element(BIT_STRING, Buffer.from([0]), sign(null, content, privateKey));
	const der = element(SEQUENCE, content, ED25519, signature);
	const lines = der.toString('base64').replace(/.{64}/g, '$&\n');
	return {
		cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
		key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
	};
}
