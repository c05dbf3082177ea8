/** Declares a test that goes on where the one before it ended. */
export type LifeStep = (sentence: string, run: () => Promise<void> | void) => void;

/**
 * Gives the `it` of one life: once a step has failed, those after it fail at once, and name the first,
 * as what they build on is not there.
 */
export function lifeSteps(): LifeStep {
  let failed: string | undefined;
  return (sentence, run) => {
    it(sentence, async () => {
      if (failed !== undefined) {
        throw new Error(`this goes on where "${failed}" ends, which failed`);
      }
      try {
        await run();
      } catch (error) {
        failed = sentence;
        throw error;
      }
    });
  };
}
