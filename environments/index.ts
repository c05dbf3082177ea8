import { program } from "./program";

// Pulumi awaits the function that a program's entry point exports. Its result becomes the outputs
// of the stack.
export = program;
