/**
 * V8's flags of the API and the worker. V8 reads most of them only when it creates the heap. The page
 * docs/operate/performance.md explains each of them, and has measurements.
 */
export const SERVER_FLAGS = [
  // By default, V8 deletes the compiled code of functions that have not run for a few seconds.
  '--no-flush-bytecode',
  // In idle periods, V8's memory reducer discards the object shapes that optimized code depends on.
  '--no-memory-reducer',
  // By default, the space for new objects grows to three times 32 MB under load, and is never returned.
  '--min-semi-space-size=8',
  '--max-semi-space-size=8',
];

/**
 * Settings of glibc's allocator. With one arena and a fixed threshold, the memory of large bodies goes back to the system
 * when they are freed. Other allocators ignore them.
 */
export const SERVER_MEMORY = { MALLOC_ARENA_MAX: '1', MALLOC_MMAP_THRESHOLD_: '262144' };
