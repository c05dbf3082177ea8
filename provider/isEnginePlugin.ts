/** Whether this process is the engine's plugin for dynamic resources (pulumi v3.230.0). */
export function isEnginePlugin(): boolean {
  return /[\\/]cmd[\\/]dynamic-provider/.test(process.argv[1] ?? "");
}
