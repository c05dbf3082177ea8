import { TalosApiError } from "../api/talosApiError";

/** A machine's answer; undefined if it doesn't answer, for questions that may stay unanswered. */
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
