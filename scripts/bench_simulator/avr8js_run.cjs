/*
 * Runs an ELF file in avr8js until the program counter is STOP and prints "cycles seconds".
 * avr8js (MIT) comes out of its registry for the run; nothing of it is ours.
 *
 *   node avr8js_run.cjs MODULE_FOLDER IMAGE.elf STOP
 */
'use strict';
const fs = require('fs');
const [, , folder, image, stopText] = process.argv;
const { CPU, avrInstruction } = require(folder);

/* What the loader puts into flash: the contents of all segments, at their physical addresses. */
const file = fs.readFileSync(image);
const flash = new Uint8Array(0x20000);
const [first, size, count] = [file.readUInt32LE(28), file.readUInt16LE(42), file.readUInt16LE(44)];
for (let i = 0; i < count; i++) {
  const at = first + i * size;
  const [type, offset] = [file.readUInt32LE(at), file.readUInt32LE(at + 4)];
  const [address, length] = [file.readUInt32LE(at + 12), file.readUInt32LE(at + 16)];
  if (type === 1 && address < flash.length) {
    flash.set(file.subarray(offset, offset + length), address);
  }
}

const cpu = new CPU(new Uint16Array(flash.buffer), 0x800);
const stop = Number(stopText) / 2;
const begun = process.hrtime.bigint();
while (cpu.pc !== stop) {
  avrInstruction(cpu);
  cpu.tick();
}
const seconds = Number(process.hrtime.bigint() - begun) * 1e-9;
console.log(`${cpu.cycles} ${seconds.toFixed(6)}`);
