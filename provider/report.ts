/**
 * Tells the person who watches the update how long work goes on: the engine shows what a
 * provider's process writes as messages of the update.
 */
export function report(line: string): void {
  process.stdout.write(`${line}\n`);
}
