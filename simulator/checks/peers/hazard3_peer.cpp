/*
 * Hazard3's RTL as a peer: runs the programs on standard input and writes the state before each of
 * their instructions to standard output. Compiled by Verilator with the core; all numbers are
 * little-endian.
 *
 * A program: the base and the size of its code (32 bits each), the code, the base and the size of
 * its RAM, and the address at which it ends. The core is reset before each program, and RAM is
 * zero.
 *
 * A record has 140 bytes: x0 to x31, the address of the instruction (32 bits each), and the cycles
 * since the first instruction was complete in the core's instruction register (64 bits). The last
 * one is that of the instruction at the end.
 *
 * Both bus ports are connected to memory without wait states that grants every exclusive access.
 */
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <vector>

#include "Vcore.h"
#include "Vcore___024root.h"
#include "verilated.h"

#define CORE(name) root->hazard3_cpu_2port__DOT__core__DOT__##name

namespace
{

/* More cycles than any instruction takes: the core is in an exception that ends in another one. */
constexpr uint64_t PATIENCE = 1000;
constexpr unsigned BYTE = 0, HALF = 1;

void put(const void *from, size_t size)
{
    if (fwrite(from, 1, size, stdout) != size) {
        exit(1);
    }
}

void get(void *to, size_t size)
{
    if (fread(to, 1, size, stdin) != size) {
        exit(0); /* the other side has closed the pipe */
    }
}

uint32_t get32()
{
    uint32_t value;
    get(&value, sizeof value);
    return value;
}

struct Memory {
    uint32_t base;
    std::vector<uint8_t> bytes;

    explicit Memory(uint32_t from) : base(from), bytes(get32()) {}

    uint8_t *at(uint32_t address)
    {
        uint32_t offset = address - base;
        return offset < bytes.size() ? &bytes[offset] : nullptr;
    }
};

struct Record {
    uint32_t registers[32];
    uint32_t pc;
    uint64_t cycles;
    bool arrived; /* are `pc` and `cycles` known? */
    uint64_t
        written; /* the cycle in which the last register write before the instruction is visible */
};

class Program
{
  public:
    explicit Program(VerilatedContext *context)
        : core(context), root(core.rootp), code(get32()), ram(prepare())
    {
        end = get32();
        core.d_hexokay = core.i_hready = core.d_hready = 1;
        for (int i = 0; i < 4; i++) {
            tick();
        }
        core.rst_n = 1;
    }

    void run()
    {
        records.push_back(Record{});
        while (!ended || !records.empty()) {
            settle();
            observe();
            tick();
            if (++cycle > progress + PATIENCE) {
                fprintf(stderr, "no instruction completed after %#x\n", CORE(d_pc));
                exit(1);
            }
        }
        core.final();
    }

  private:
    Memory prepare()
    {
        get(code.bytes.data(), code.bytes.size());
        return Memory(get32());
    }

    uint32_t read(uint32_t address)
    {
        uint32_t word = 0;
        for (uint32_t i = 0; i < 4; i++) {
            const uint8_t *byte = code.at((address & ~3u) + i);
            byte = byte ? byte : ram.at((address & ~3u) + i);
            word |= static_cast<uint32_t>(byte ? *byte : 0) << (8 * i);
        }
        return word;
    }

    /* Gives the core what it reads in this cycle. */
    void settle()
    {
        core.pwrup_ack = core.pwrup_req;
        core.i_hrdata = fetching ? read(fetch_address) : 0;
        core.d_hrdata = loading ? read(data_address) : 0;
        core.eval();
    }

    /* Notes what ends in this cycle, and begins the next one. */
    void tick()
    {
        settle();
        if (storing) {
            uint32_t bytes = size == BYTE ? 1 : size == HALF ? 2 : 4;
            for (uint32_t i = 0; i < bytes; i++) {
                if (uint8_t *byte = ram.at(data_address + i)) {
                    *byte = static_cast<uint8_t>(core.d_hwdata >> (8 * ((data_address + i) & 3)));
                }
            }
        }
        fetching = core.i_htrans != 0;
        fetch_address = core.i_haddr;
        loading = core.d_htrans != 0 && !core.d_hwrite;
        storing = core.d_htrans != 0 && core.d_hwrite;
        data_address = core.d_haddr;
        size = core.d_hsize;
        core.clk = core.clk_always_on = 1;
        core.eval();
        core.clk = core.clk_always_on = 0;
        core.eval();
        mark_valid();
    }

    /* Which words of the fetch queue are valid. The block of `hazard3_frontend` that states it
     * reads an array that it also writes to; Verilator 5.006 therefore evaluates it only once, at
     * the start. */
    void mark_valid()
    {
        for (int i = 0; i < 2; i++) {
            CORE(frontend__DOT__fifo_valid)[i] = CORE(frontend__DOT__fifo_valid_hw)[i] != 0;
        }
        CORE(frontend__DOT__fifo_valid_m1)[1] = CORE(frontend__DOT__fifo_valid)[0];
    }

    void observe()
    {
        if (!records.empty() && !records.back().arrived && !CORE(d_starved)) {
            Record &last = records.back();
            last.pc = CORE(d_pc);
            first = seen ? first : cycle;
            last.cycles = cycle - first;
            seen = last.arrived = true;
            ended = last.pc == end;
        }
        while (!records.empty() && records.front().arrived && records.front().written <= cycle) {
            Record &record = records.front();
            for (int i = 0; i < 32; i++) {
                record.registers[i] = CORE(regs__DOT__real_dualport_reset__DOT__mem)[i];
            }
            put(record.registers, sizeof record.registers);
            put(&record.pc, sizeof record.pc);
            put(&record.cycles, sizeof record.cycles);
            records.pop_front();
        }
        /* An instruction leaves the second stage: the third writes its result in the next cycle. */
        if (CORE(df_cir_use) != 0 && !ended) {
            progress = cycle;
            Record next{};
            next.written = cycle + 2;
            records.push_back(next);
        }
    }

    Vcore core;
    Vcore___024root *root;
    Memory code, ram;
    uint32_t end = 0;
    std::deque<Record> records;
    uint64_t cycle = 0, first = 0, progress = 0;
    bool seen = false, ended = false;
    bool fetching = false, loading = false, storing = false;
    uint32_t fetch_address = 0, data_address = 0, size = 0;
};

} // namespace

int main()
{
    for (;;) {
        VerilatedContext context;
        Program(&context).run();
        fflush(stdout);
    }
}
