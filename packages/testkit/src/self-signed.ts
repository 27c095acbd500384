import { generateKeyPairSync, sign } from 'node:crypto';

/** A self-signed certificate and its key, in PEM format. */
export interface SelfSigned {
  key: string;
  cert: string;
}

/** The DER tags (X.690) that a certificate needs. */
const TAG = { integer: 0x02, bits: 0x03, bytes: 0x04, oid: 0x06, text: 0x0c, time: 0x18, sequence: 0x30, set: 0x31 };

function der(tag: number, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const size = body.length.toString(16);
  const long = Buffer.from(size.length % 2 ? `0${size}` : size, 'hex');
  const length =
    body.length < 0x80 ? Buffer.from([body.length]) : Buffer.concat([Buffer.from([0x80 | long.length]), long]);
  return Buffer.concat([Buffer.from([tag]), length, body]);
}

const sequence = (...parts: Buffer[]) => der(TAG.sequence, ...parts);
const oid = (hex: string) => der(TAG.oid, Buffer.from(hex, 'hex'));
const bits = (bytes: Buffer) => der(TAG.bits, Buffer.from([0]), bytes);
const time = (at: Date) => der(TAG.time, Buffer.from(at.toISOString().replaceAll(/[-:T]|\.\d+/g, '')));

/** The signature algorithms, by the type of the key. */
const ALGORITHMS = {
  ec: sequence(oid('2a8648ce3d040302')),
  rsa: sequence(oid('2a864886f70d01010b'), Buffer.from([0x05, 0x00])),
};
const COMMON_NAME = oid('550403');
const ALTERNATIVE_NAMES = oid('551d11');
const BASIC_CONSTRAINTS = oid('551d13');
const TRUE = Buffer.from([0x01, 0x01, 0xff]);
const DAY_MS = 86_400_000;

/** Creates a certificate for `localhost` and 127.0.0.1 for one day (RFC 5280 §4.1). Node has no API for this. */
export function selfSigned(type: keyof typeof ALGORITHMS = 'ec'): SelfSigned {
  const { privateKey, publicKey } =
    type === 'ec'
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
      : generateKeyPairSync('rsa', { modulusLength: 2048 });
  const algorithm = ALGORITHMS[type];
  const name = sequence(der(TAG.set, sequence(COMMON_NAME, der(TAG.text, Buffer.from('localhost')))));
  // 0x82 is a DNS name, and 0x87 is an IP address.
  const names = sequence(der(0x82, Buffer.from('localhost')), der(0x87, Buffer.from([127, 0, 0, 1])));
  const extensions = sequence(
    sequence(ALTERNATIVE_NAMES, der(TAG.bytes, names)),
    sequence(BASIC_CONSTRAINTS, TRUE, der(TAG.bytes, sequence(TRUE))),
  );
  const body = sequence(
    der(0xa0, der(TAG.integer, Buffer.from([2]))),
    der(TAG.integer, Buffer.from([1])),
    algorithm,
    name,
    sequence(time(new Date(Date.now() - DAY_MS)), time(new Date(Date.now() + DAY_MS))),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, extensions),
  );
  const certificate = sequence(body, algorithm, bits(sign('sha256', body, privateKey)));
  // The signature's length varies. If the last line is full, it must not be followed by an empty line.
  const lines = certificate
    .toString('base64')
    .match(/.{1,64}/g)
    ?.join('\n');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  };
}
