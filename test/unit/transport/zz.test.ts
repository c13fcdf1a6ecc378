import { getRequestHelperFunctions } from 'n8n-core/dist/execution-engine/node-execution-context/utils/request-helper-functions';
import { createServer as tls } from 'node:tls';
import { createServer as net } from 'node:net';
import { readFault } from '../../../nodes/BusinessMessaging/transport/faults';
import { createSelfSignedCertificate } from './selfSignedCertificate.ts';
const node = { name: 'N', type: 't', typeVersion: 1, id: '1', position: [0, 0], parameters: {} };
const additionalData = { credentialsHelper: { getParentTypes: () => [], preAuthentication: async () => undefined, authenticate: async (_c: unknown, _t: unknown, o: unknown) => o } };
const helpers = (getRequestHelperFunctions as any)({}, node, additionalData);
async function go(url: string, more: object = {}) {
	const context = { getNode: () => node, getCredentials: async () => ({}), helpers, ...(more as any).ctx };
	try { const r = await helpers.httpRequestWithAuthentication.call(context, 'c', { method: 'POST', url, body: '{"a":1}', headers: { 'content-type': 'application/json' }, timeout: 500, encoding: 'text', returnFullResponse: true, ignoreHttpStatusErrors: true, disableFollowRedirect: true, ...more });
	return 'answer ' + r.statusCode + ' ' + r.body; } catch (e) { const chain = []; let l: any = e; for (let i=0;i<6&&l;i++){ chain.push([l.code, l.syscall, String(l.message).slice(0,110)].join(' | ')); l=l.cause;} return [readFault(e), chain]; }
}
const listen = async (s: any) => { await new Promise<void>((r) => s.listen(0, '127.0.0.1', r)); return s.address().port };
test('x', async () => {
	const out: Record<string, unknown> = {};
	const c = createSelfSignedCertificate();
	let s: any = tls(c, () => {}); s.on('tlsClientError',()=>{}); out.selfSigned = await go('https://127.0.0.1:' + await listen(s)); s.close();
	s = net((k) => { k.on('error',()=>{}); k.on('data', () => k.end('HTTP/1.1 400 Bad Request\r\n\r\n')); }); out.plainAnswers = await go('https://127.0.0.1:' + await listen(s)); s.close();
	for (const junk of ['hello world, this is garbage', Buffer.from('17030300200102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20','hex')]) {
		const raws: any[] = []; s = tls({ ...c }, (k) => { k.on('error',()=>{}); k.on('data', () => raws[0].write(junk)); }); s.on('connection', (r: any) => raws.push(r)); s.on('tlsClientError',()=>{});
		out['junk' + junk.length] = await go('https://127.0.0.1:' + await listen(s), { skipSslCertificateValidation: true }); s.close(); raws.forEach(r=>r.destroy());
	}
	s = tls({ ...c, requestCert: true, rejectUnauthorized: true }, (k) => { k.on('error',()=>{}); k.on('data', () => k.end()); }); s.on('tlsClientError',()=>{}); out.mtls = await go('https://127.0.0.1:' + await listen(s), { skipSslCertificateValidation: true }); s.close();
	s = tls({ ...c, requestCert: true, rejectUnauthorized: true, maxVersion: 'TLSv1.2' }, (k) => { k.on('error',()=>{}); k.on('data', () => k.end()); }); s.on('tlsClientError',()=>{}); out.mtls12 = await go('https://127.0.0.1:' + await listen(s), { skipSslCertificateValidation: true }); s.close();
	s = tls({ ...c, minVersion:'TLSv1.1', maxVersion: 'TLSv1.1', ciphers:'DEFAULT:@SECLEVEL=0' }, () => {}); s.on('tlsClientError',()=>{}); out.old = await go('https://127.0.0.1:' + await listen(s), { skipSslCertificateValidation: true }); s.close();
	out.longName = await go('http://' + 'a'.repeat(64) + '.example/');
	console.log(JSON.stringify(out, null, 1));
}, 30000);
