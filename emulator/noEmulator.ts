/**
 * What is said where no emulator runs.
 *
 * @param stateDir the folder in which one was looked for
 */
export function noEmulator(stateDir: string): string {
  return `no emulator is running: none was started for ${stateDir}; "emulator start" starts one, and --state-dir names the folder of another`;
}
