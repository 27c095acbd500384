import { describe, expect, it } from 'vitest';
import { expectOpenSessions, useEchoRig } from '../../../test/bad-input/realtime-requests.ts';

/** Encodes a client frame by hand. @param first the first byte, which holds the flags and the opcode */
function frame(first: number, payload: Buffer, isMasked = true): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(payload.length);
  const head = Buffer.concat([Buffer.from([first, (isMasked ? 0x80 : 0) | 126]), length]);
  // A zero mask leaves the bytes unchanged.
  return Buffer.concat([head, Buffer.alloc(isMasked ? 4 : 0), payload]);
}

const BAD_FRAMES: Readonly<Record<number, readonly [title: string, bytes: Buffer][]>> = {
  1002: [
    ['the frame is not masked', frame(0x81, Buffer.from('x'), false)],
    ['a reserved bit is set', frame(0xc1, Buffer.from('x'))],
    ['the opcode is unknown', frame(0x83, Buffer.from('x'))],
    ['a continuation has no first frame', frame(0x80, Buffer.from('x'))],
    ['the control frame is too long', frame(0x89, Buffer.alloc(126))],
    ['the close code is reserved', frame(0x88, Buffer.from([0x03, 0xed]))],
  ],
  1007: [['the text is invalid UTF-8', frame(0x81, Buffer.from([0xc3, 0x28]))]],
};

describe('GET /v1/realtime (frames)', () => {
  const context = useEchoRig();

  // Close codes are defined in RFC 6455, section 7.4.1.
  describe.each(Object.entries(BAD_FRAMES))('close code %s', (code, rows) => {
    it.each(rows)('%s; other sessions still open', async (_title, bytes) => {
      const { rig } = context;
      const client = await rig.connect();
      const vendor = rig.vendor.sockets.at(-1);
      const vendorCode = new Promise((resolve) => void vendor?.once('close', resolve));
      // The raw socket under `ws`. The `ws` library cannot send invalid frames.
      const { _socket: connection } = client.socket as unknown as { _socket: { write(bytes: Buffer): void } };
      connection.write(bytes);
      await expect.poll(() => client.closed?.code).toBe(Number(code));
      expect(await vendorCode).toBe(1000);
      await expectOpenSessions(rig);
    });
  });

  describe('close code 1008', () => {
    it.each([
      ['the event is not JSON and contains "model"', 'not json { "model"'],
      ['the event is nested 9,000 levels deep', `${'[{"model":'.repeat(9_000)}"session.update"`],
    ])('%s; other sessions still open', async (_title, text) => {
      const client = await context.rig.connect();
      client.socket.send(text);
      await expect.poll(() => client.closed).toEqual({ code: 1008, reason: 'invalid_event' });
      await expectOpenSessions(context.rig);
    });

    it('a session.update is nested too deeply to edit; other sessions still open', async () => {
      const client = await context.rig.connect();
      const deep = `${'['.repeat(49_000)}${']'.repeat(49_000)}`;
      client.socket.send(`{"type":"session.update","session":{"model":"voice","tools":${deep}}}`);
      await expect.poll(() => client.closed).toEqual({ code: 1008, reason: 'invalid_event' });
      expect(JSON.parse(client.texts[0] ?? '')).toMatchObject({ type: 'error', error: { code: 'invalid_event' } });
      await expectOpenSessions(context.rig);
    });
  });

  describe('close code 1009', () => {
    it('the message is one byte larger than allowed', async () => {
      const client = await context.rig.connect();
      client.socket.send('x'.repeat(100_000));
      await expect.poll(() => client.texts.length).toBe(1);
      client.socket.send('x'.repeat(100_001));
      await expect.poll(() => client.closed?.code).toBe(1009);
    });

    it('the fragments of a message are too large together', async () => {
      const client = await context.rig.connect();
      for (let times = 0; times < 11; times++) client.socket.send('x'.repeat(10_000), { fin: false });
      await expect.poll(() => client.closed?.code).toBe(1009);
    });
  });

  describe('relayed', () => {
    it.each([
      ['the event is not JSON', 'not json {'],
      ['the event is an array', '[1,2]'],
      ['the event is null', 'null'],
      ['the event has no type', '{"session":{"voice":"x"}}'],
      ['the session of a session.update is a string', String.raw`{"type":"session.update","session":"a","x":"model"}`],
      ['the event escapes a lone surrogate', String.raw`{"type":"session.update","voice":"\ud800"}`],
      ['the event is empty', ''],
    ])('%s; the vendor receives it unchanged', async (_title, text) => {
      const client = await context.rig.connect();
      client.socket.send(text);
      await expect.poll(() => client.texts).toEqual([text]);
      client.socket.close();
    });

    it('a binary session.update names another model; the vendor receives the model of the session', async () => {
      const client = await context.rig.connect();
      client.socket.send(Buffer.from('{"type":"session.update","session":{"model":"dear"}}'));
      await expect.poll(() => client.texts).toEqual(['{"type":"session.update","session":{"model":"theirs"}}']);
      client.socket.close();
    });
  });
});
