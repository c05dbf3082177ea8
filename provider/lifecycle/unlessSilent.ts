import { TalosApiError } from "../api/talosApiError";

/** A machine's answer; undefined if it doesn't answer. For questions whose answer is optional. */
export async function unlessSilent<Value>(answer: Promise<Value>): Promise<Value | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof TalosApiError) {
      return undefined;
    }
    throw error;
  }
}
