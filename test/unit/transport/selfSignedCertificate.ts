import { generateKeyPairSync, sign } from 'node:crypto';

const SEQUENCE = 0x30;
const SET = 0x31;
const INTEGER = 0x02;
const BIT_STRING = 0x03;
const UTF8_STRING = 0x0c;
const UTC_TIME = 0x17;
const VERSION = 0xa0;

const ECDSA_WITH_SHA256 = Buffer.from('06082a8648ce3d040302', 'hex');
const COMMON_NAME = Buffer.from('0603550403', 'hex');

/** One DER element; none here is longer than 65,535 bytes. */
function element(tag: number, ...parts: Buffer[]): Buffer {
	const content = Buffer.concat(parts);
	const { length } = content;
	const size =
		length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
	return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

/** A certificate that nobody trusts, and its key, both new each time (RFC 5280, as little as works). */
export function createSelfSignedCertificate(): { cert: string; key: string } {
	const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
	const algorithm = element(SEQUENCE, ECDSA_WITH_SHA256);
	const name = element(
		SEQUENCE,
		element(SET, element(SEQUENCE, COMMON_NAME, element(UTF8_STRING, Buffer.from('localhost')))),
	);
	const validity = element(
		SEQUENCE,
		element(UTC_TIME, Buffer.from('200101000000Z')),
		element(UTC_TIME, Buffer.from('491231235959Z')),
	);
	const content = element(
		SEQUENCE,
		element(VERSION, element(INTEGER, Buffer.from([2]))),
		element(INTEGER, Buffer.from([1])),
		algorithm,
		name,
		validity,
		name,
		publicKey.export({ type: 'spki', format: 'der' }),
	);
	const signature = element(BIT_STRING, Buffer.from([0]), sign('sha256', content, privateKey));
	const der = element(SEQUENCE, content, algorithm, signature);
	const lines = der.toString('base64').replace(/.{64}/g, '$&\n');
	return {
		cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
		key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
	};
}
