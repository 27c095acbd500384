import { freePort, type TaskRig, taskRig } from '@sluice/testkit';
import { GenericContainer, getContainerRuntimeClient, type StartedTestContainer, Wait } from 'testcontainers';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';

// `afterAll` removes the container, so the cleanup container (Ryuk), which is another image, is unnecessary.
process.env['TESTCONTAINERS_RYUK_DISABLED'] ??= 'true';

const docker = await getContainerRuntimeClient().catch(() => undefined);
const TASKS = 20;
const READY_MS = 20_000;

// The same image and settings as in docker-compose.yml.
const IMAGE = 'redis:7-alpine';
const COMMAND = 'redis-server --appendonly yes --appendfsync always --maxmemory-policy noeviction --hz 100';

let container: StartedTestContainer;
let rig: TaskRig;

describe.skipIf(!docker)(`tasks on ${IMAGE}${docker ? '' : ' [skipped: no Docker engine responds]'}`, () => {
  beforeAll(async () => {
    // The port is fixed, so that a restarted container keeps its address.
    const port = await freePort();
    container = await new GenericContainer(IMAGE)
      .withCommand(COMMAND.split(' '))
      .withExposedPorts({ container: 6379, host: port })
      .withWaitStrategy(Wait.forListeningPorts())
      .start();
    vi.stubEnv('SLUICE_TEST_REDIS', `redis://${container.getHost()}:${port}`);
  }, 120_000);

  afterEach(() => rig.close());

  afterAll(async () => {
    vi.unstubAllEnvs();
    await container.stop();
  });

  it('complete and are submitted once by two workers', async () => {
    rig = await taskRig();
    await Promise.all([rig.startWorker(), rig.startWorker()]);
    const admitted = await Promise.all(Array.from({ length: TASKS }, () => rig.engine.submit(rig.params())));
    const ended = await Promise.all(admitted.map(({ task }) => rig.end(task)));
    expect(ended.map(({ status }) => status)).toEqual(Array.from({ length: TASKS }, () => 'completed'));
    expect([...rig.vendor.submissions.values()]).toEqual(Array.from({ length: TASKS }, () => 1));
  });

  it('survive kill -9 of Redis: each acknowledged task exists, completes, and was submitted once', async () => {
    let rendering = true;
    rig = await taskRig({ script: { poll: () => (rendering ? { kind: 'running', progress: 50 } : undefined) } });
    await rig.startWorker();
    const early = await Promise.all(Array.from({ length: TASKS }, () => rig.engine.submit(rig.params())));
    const acknowledged = early.map(({ task }) => task);

    // Tasks are created continuously, so that a kill may happen between a write and its response.
    const killed = new AbortController();
    const submitting = (async () => {
      while (!killed.signal.aborted) {
        const admitted = await rig.engine.submit(rig.params()).catch(() => undefined);
        if (admitted) acknowledged.push(admitted.task);
        else await new Promise((resolve) => setTimeout(resolve, 10));
      }
    })();
    await vi.waitFor(() => expect(acknowledged.length).toBeGreaterThan(2 * TASKS), READY_MS);
    const redis = docker?.container.getById(container.getId());
    await redis?.kill({ signal: 'SIGKILL' });
    expect(await rig.engine.ready()).toBe(false);
    killed.abort();
    await submitting;
    await redis?.start();
    await vi.waitFor(async () => expect(await rig.engine.ready()).toBe(true), READY_MS);

    const tasks = await Promise.all(acknowledged.map(({ ownerId, id }) => rig.engine.find(ownerId, id)));
    expect(tasks.map((task) => task?.id)).toEqual(acknowledged.map(({ id }) => id));
    rendering = false;
    const ended = await Promise.all(acknowledged.map((task) => rig.end(task)));
    expect(ended.filter(({ status }) => status !== 'completed')).toEqual([]);
    expect([...rig.vendor.submissions.values()].filter((count) => count !== 1)).toEqual([]);
  }, 90_000);
});
