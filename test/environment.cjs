const { TestEnvironment } = require("jest-environment-node");

/**
 * Makes the stacks that nobody reads cheap. Pulumi's SDK takes one for each promise and each resource
 * (`new Error().stack`; @pulumi/pulumi v3.230.0, runtime/debuggable.ts and resource.ts), and jest looks
 * up each of its lines in the source maps: half the time of the tests that run a program. Errors with a
 * message keep their mapped stacks.
 */
module.exports = class extends TestEnvironment {
  async setup() {
    await super.setup();
    const mapped = Error.prepareStackTrace;
    Error.prepareStackTrace = (error, frames) =>
      error.message === "" ? `${error}\n    at ${frames.join("\n    at ")}` : mapped(error, frames);
    this.restore = () => {
      Error.prepareStackTrace = mapped;
    };
  }

  async teardown() {
    this.restore();
    await super.teardown();
  }
};
