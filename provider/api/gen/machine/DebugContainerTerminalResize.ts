// Original file: provider/api/proto/machine/debug.proto


export interface DebugContainerTerminalResize {
  'width'?: (number);
  'height'?: (number);
}

export interface DebugContainerTerminalResize__Output {
  'width': (number);
  'height': (number);
}
