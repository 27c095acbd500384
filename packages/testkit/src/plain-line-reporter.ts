import type { Reporter, TestModule } from 'vitest/node';

/** An error outside a test. vitest adds the path of the file that ran, which its types leave out. */
interface UnhandledError {
  message: string;
  VITEST_TEST_PATH?: string;
}

/**
 * Prints the names of skipped groups, and then the plain line `N passed, N failed, N skipped`, for people and scripts.
 * A group's name states why it is skipped: `describe.skipIf(!docker)('crash [docker: no daemon]', …)`. Each file that
 * could not run, and each error outside a test, is reported as one failure. Before these lines, names each file that
 * failed, with its own counts, which include the errors outside a test while the file ran.
 */
export default class PlainLineReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly UnhandledError[]): void {
    const count = { passed: 0, failed: unhandledErrors.length, skipped: 0 };
    const skippedGroups = new Set<string>();
    const failedFiles: string[] = [];
    for (const module of modules) {
      const before = { ...count };
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        // A test that never ran is reported as failed.
        count[state === 'pending' ? 'failed' : state] += 1;
      }
      for (const suite of module.children.allSuites()) {
        if (suite.state() === 'failed') count.failed += suite.errors().length;
        const outer = suite.parent.type === 'suite' ? suite.parent.state() : 'passed';
        if (suite.state() === 'skipped' && outer !== 'skipped') skippedGroups.add(suite.fullName);
      }
      if (module.state() === 'failed') count.failed += module.errors().length;
      const errors = unhandledErrors.filter(({ VITEST_TEST_PATH: path }) => path === module.moduleId).length;
      if (!module.ok() || errors > 0) {
        const own = `${count.passed - before.passed} passed, ${count.failed - before.failed + errors} failed`;
        failedFiles.push(`${module.relativeModuleId} (${own})`);
      }
    }
    for (const file of failedFiles) process.stdout.write(`failed file: ${file}\n`);
    for (const name of skippedGroups) process.stdout.write(`skipped: ${name}\n`);
    process.stdout.write(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped\n`);
  }
}
