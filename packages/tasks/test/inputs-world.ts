import type { InputImage } from '@sluice/canonical';
import type { ContentStore } from '@sluice/content';
import { createLogger } from '@sluice/telemetry';
import fc from 'fast-check';
import { expect } from 'vitest';
import { clearTask } from '../src/worker/clear-task.ts';
import { INPUT_LIFE, StoreRig } from './store-rig.ts';

const logger = createLogger({ level: 'silent', name: 'test' });

export async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

export async function storedImage(content: ContentStore, key: string, text: string): Promise<InputImage> {
  const { bytes, sha256 } = await content.write(key, once(Buffer.from(text)), 1_000);
  return { role: 'reference', source: { kind: 'stored', key, mediaType: 'image/png', filename: 'a', bytes, sha256 } };
}

const owner = fc.constantFrom('ana', 'ben');
const text = fc.constantFrom('a boat', 'a kite');

/** `stop` is the point at which a process is killed. */
export const step = fc.oneof(
  fc.record({
    act: fc.constant('upload' as const),
    owner,
    texts: fc.array(text, { minLength: 1, maxLength: 3 }),
    /** Earlier versions recorded no hashes. */
    isHashed: fc.constantFrom(true, true, true, false),
    stop: fc.constantFrom('never', 'never', 'stored', 'admitted'),
  }),
  fc.record({
    act: fc.constant('fetch' as const),
    owner,
    text,
    /** An event during the fetch. */
    meanwhile: fc.constantFrom('nothing', 'nothing', 'claimed', 'ended'),
    stop: fc.constantFrom('never', 'never', 'stored', 'recorded', 'late reply'),
  }),
  fc.record({
    act: fc.constant('remove' as const),
    index: fc.nat(),
    stop: fc.constantFrom('never', 'never', 'released', 'removed'),
  }),
  // The time during which new tasks share a content ends.
  fc.record({ act: fc.constant('age' as const) }),
);
export type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Contents, tasks, and the files that killed processes have left behind. */
export class InputsWorld {
  readonly rig = new StoreRig();
  readonly content: ContentStore;
  /** The keys of all files that were ever stored. */
  readonly #written: string[] = [];
  /** The texts of the images of each open task. */
  readonly tasks = new Map<string, { owner: string; texts: string[]; age: number }>();
  readonly ended: string[] = [];
  readonly left = new Set<string>();
  #age = 0;
  #files = 0;

  constructor(content: ContentStore) {
    this.content = {
      ...content,
      write: (key, ...rest) => {
        this.#written.push(key);
        return content.write(key, ...rest);
      },
    };
  }

  async act(one: Step): Promise<void> {
    switch (one.act) {
      case 'upload':
        return this.#upload(one);
      case 'fetch':
        return this.#fetch(one);
      case 'remove': {
        const ids = [...this.tasks.keys()];
        const id = ids[one.index % ids.length];
        if (id !== undefined) await this.remove(id, one.stop);
        return;
      }
      case 'age': {
        const shared = await this.#redisKeys('input:');
        if (shared.length > 0) await this.rig.redis.del(shared);
        this.#age += 1;
      }
    }
  }

  async #upload({ owner: by, texts, isHashed, stop }: Extract<Step, { act: 'upload' }>): Promise<void> {
    const keys = texts.map(() => `inputs/${(this.#files += 1)}`);
    const images = await Promise.all(keys.map((key, at) => storedImage(this.content, key, texts[at] ?? '')));
    if (stop === 'stored') return this.#leave(keys);
    for (const { source } of images) if (!isHashed && source.kind === 'stored') delete source.sha256;
    const { id, admission, response } = this.rig.admit({ owner: by, images });
    const first = await response;
    // ioredis repeats a command if its reply was lost.
    const repeated = await this.rig.store.admit(admission);
    if (first.result !== 'new' || repeated.result !== 'new') throw new Error('not admitted');
    expect(repeated.unusedInputs).toEqual(first.unusedInputs);
    this.tasks.set(id, { owner: by, texts, age: this.#age });
    await this.#discard(first.unusedInputs, stop);
  }

  async #fetch({ owner: by, text: one, meanwhile, stop }: Extract<Step, { act: 'fetch' }>): Promise<void> {
    const { store } = this.rig;
    const id = await this.rig.admitted({ owner: by });
    const claim = { from: ['queued'], claim: true } as const;
    const record = await this.rig.moved(id, claim);
    const key = `inputs/${id}/0.${record.epoch}`;
    const image = await storedImage(this.content, key, one);
    if (meanwhile === 'claimed') await this.rig.moved(id, claim);
    if (meanwhile === 'ended') await this.#end(id);
    if (meanwhile !== 'ended') this.tasks.set(id, { owner: by, texts: [], age: this.#age });
    if (stop === 'stored') return this.#leave([key]);
    const request = { ...(await store.loadRequest(id)), images: [image] };
    const storeInputs = () => store.storeInputs(record, request, [image], INPUT_LIFE);
    const unused = await storeInputs();
    if (meanwhile === 'nothing') this.tasks.set(id, { owner: by, texts: [one], age: this.#age });
    else expect(unused).toEqual([key]);
    await this.#discard(unused, stop);
    if (stop !== 'late reply') return;
    // The reply was lost. Until the command is repeated, another task may use the image, and this one may be removed.
    await this.#upload({ act: 'upload', owner: by, texts: [one], isHashed: true, stop: 'never' });
    if (meanwhile === 'nothing') await this.remove(id, 'never');
    await this.#discard(await storeInputs(), 'never');
  }

  #leave(keys: readonly string[]): void {
    for (const key of keys) this.left.add(key);
  }

  async #discard(keys: readonly string[], stop: string): Promise<void> {
    if (stop !== 'never' && stop !== 'late reply') return this.#leave(keys);
    for (const key of keys) await this.content.remove(key);
  }

  async #end(id: string): Promise<void> {
    await this.rig.moved(id, { from: ['queued'], to: 'failed' });
    this.tasks.delete(id);
    this.ended.push(id);
  }

  async remove(id: string, stop: string): Promise<void> {
    await this.#end(id);
    const remove = async (key: string) => {
      if (stop === 'released') throw new Error('killed');
      await this.content.remove(key);
      if (stop === 'removed') throw new Error('killed');
    };
    await this.clear(id, { ...this.content, remove }).catch(() => undefined);
  }

  clear(id: string, content = this.content): Promise<void> {
    return clearTask({ store: this.rig.store, content, logger }, id);
  }

  async check(): Promise<void> {
    const keyOf = new Map<string, string>();
    for (const [id, task] of this.tasks) {
      const { images } = await this.rig.store.loadRequest(id);
      expect(images).toHaveLength(task.texts.length);
      for (const [at, { source }] of images.entries()) {
        if (source.kind !== 'stored') throw new Error('not stored');
        const chunks = await (await this.content.open(source.key)).toArray();
        expect(Buffer.concat(chunks as Buffer[]).toString()).toBe(task.texts[at]);
        if (source.sha256 === undefined) continue;
        // Each owner has each content once, until the content has aged.
        const name = `${task.owner} ${task.texts[at]} ${task.age}`;
        expect(keyOf.get(name) ?? source.key).toBe(source.key);
        keyOf.set(name, source.key);
      }
    }
  }

  /** Clears all tasks. Then only files that killed processes have left may remain, which the sweep removes. */
  async end(): Promise<void> {
    for (const id of this.tasks.keys()) await this.#end(id);
    for (const id of this.ended) await this.clear(id);
    expect(new Set(await this.#storedFiles())).toEqual(this.left);
    expect(await this.#redisKeys('input')).toEqual([]);
    await this.content.clearOlder('inputs', -1_000);
    expect(await this.#storedFiles()).toEqual([]);
  }

  async #storedFiles(): Promise<string[]> {
    const checks = this.#written.map((key) =>
      this.content.check(key).then(
        () => [key],
        () => [],
      ),
    );
    return (await Promise.all(checks)).flat();
  }

  #redisKeys(name: string): Promise<string[]> {
    return this.rig.redis.keys(`${this.rig.keys.prefix}${name}*`);
  }
}
