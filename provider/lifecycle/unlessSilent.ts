import { TalosApiError } from "../api/talosApiError";

/** What a machine answers; undefined where it doesn't, for questions that may go without an answer. */
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
