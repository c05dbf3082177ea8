import { parseConfig, validateConfig, type LoadedConfig } from "./loadConfig";

/**
 * The machine configuration in an instance's user data, if there is one.
 *
 * @param log gets what is wrong with one that is `broken`
 */
export function userDataConfig(
  userData: string | undefined,
  log: (line: string) => void,
): LoadedConfig | "broken" | undefined {
  if (userData === undefined || userData.trim() === "") return undefined;
  try {
    const config = parseConfig(userData);
    validateConfig(config);
    return config;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    log(`failed to load config via platform aws: ${reason}`);
    return "broken";
  }
}
