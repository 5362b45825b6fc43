/*
 * yasimavr as a peer: an AVRxt core with SRAM, flash and one I/O register, without peripherals.
 * The commands and the records are those of simavr_peer.c; a record's cycles are yasimavr's own.
 *
 *   yasimavr_peer CHIP
 */
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <arch_xt/arch_xt_device.h>
#include <arch_xt/arch_xt_misc.h>
#include <core/sim_cycle_timer.h>
#include <core/sim_debug.h>
#include <core/sim_logger.h>

YASIMAVR_USING_NAMESPACE

namespace
{

constexpr reg_addr_t GPIOR2 = 0x1e; /* a register without side effects */

/* Stores the written value like any register; attaching it makes the register exist. */
struct Plain : IORegHandler {
    uint8_t ioreg_read_handler(reg_addr_t, uint8_t value) override
    {
        return value;
    }
    uint8_t ioreg_peek_handler(reg_addr_t, uint8_t value) override
    {
        return value;
    }
    void ioreg_write_handler(reg_addr_t, const ioreg_write_t &) override {}
};

/* ATmega4809, DS40002173, section 6.2. */
ArchXT_CoreConfig atmega4809()
{
    ArchXT_CoreConfig config{};
    config.iostart = 0;
    config.ioend = 0x10ff;
    config.ramstart = 0x2800;
    config.ramend = 0x3fff;
    config.datasize = 0x10000;
    config.flashsize = 0xc000;
    config.eepromsize = 0x100;
    config.flashstart_ds = 0x4000;
    config.flashend_ds = 0xffff;
    config.eepromstart_ds = 0x1400;
    config.eepromend_ds = 0x14ff;
    config.userrowsize = 0x40;
    config.fuses.resize(11);
    return config;
}

void get(void *to, size_t size)
{
    if (fread(to, 1, size, stdin) != size) {
        exit(0); /* the other side has closed the pipe */
    }
}

uint32_t get32()
{
    uint8_t b[4];

    get(b, sizeof b);
    return b[0] | uint32_t(b[1]) << 8 | uint32_t(b[2]) << 16 | uint32_t(b[3]) << 24;
}

void put(const void *from, size_t size)
{
    if (fwrite(from, 1, size, stdout) != size) {
        exit(1);
    }
}

uint8_t *store(uint8_t *to, uint64_t value, int size)
{
    for (int i = 0; i < size; i++) {
        *to++ = uint8_t(value >> 8 * i);
    }
    return to;
}

/* The same as in simavr_peer.c. */
uint64_t hash(const uint8_t *p, size_t size)
{
    constexpr uint64_t prime = 0x100000001b3;
    uint64_t lane[4] = {1, 2, 3, 4};

    for (size_t i = 0; i < size; i += 32) {
        for (int j = 0; j < 4; j++) {
            uint64_t word;
            memcpy(&word, p + i + 8 * j, 8);
            lane[j] = (lane[j] ^ word) * prime;
            lane[j] ^= lane[j] >> 29;
        }
    }
    return ((lane[0] * prime ^ lane[1]) * prime ^ lane[2]) * prime ^ lane[3];
}

/* Standard output is for records. */
struct Log : LogWriter {
    void write(cycle_count_t, int, ctl_id_t, const char *format, std::va_list arguments) override
    {
        vfprintf(stderr, format, arguments);
        fputc('\n', stderr);
    }
};

class Peer
{
  public:
    Peer(ArchXT_CoreConfig &core) : config_(core), device_config_(core), device_(device_config_)
    {
        device_.set_option(Device::Option_InfiniteLoopDetect, false);
        device_.set_option(Device::Option_IgnoreBadCpuLPM, true);
        device_.log_handler().set_writer(log_);
        device_.attach_peripheral(interrupts_);
        if (!device_.init(manager_)) {
            exit(2);
        }
        device_.add_ioreg_handler(GPIOR2, plain_, bitmask_t(0xff), IORegister::RW);
        probe_.attach(device_);
        sram_.resize(core.ramend + 1 - core.ramstart);
        flash_.resize(core.flashsize);
    }

    void set_program()
    {
        const uint32_t size = get32();

        if (size > flash_.size()) {
            exit(1);
        }
        memset(flash_.data(), 0xff, flash_.size());
        get(flash_.data(), size);
        probe_.write_flash(0, flash_.data(), flash_addr_t(flash_.size()));
    }

    void set_memory()
    {
        const uint32_t address = get32();
        const uint32_t size = get32();
        std::vector<uint8_t> bytes(size);

        get(bytes.data(), size);
        if (address == GPIOR2 && size == 1) {
            probe_.write_ioreg(GPIOR2, bytes[0]);
        } else if (address >= config_.ramstart && address + size <= config_.ramend + 1) {
            probe_.write_data(address, bytes.data(), size);
        } else {
            exit(1);
        }
    }

    void set_registers()
    {
        uint8_t b[40];

        get(b, sizeof b);
        for (unsigned i = 0; i < 32; i++) {
            probe_.write_gpreg(i, b[i]);
        }
        probe_.write_sreg(b[32]);
        probe_.write_sp(mem_addr_t(b[34] | b[35] << 8));
        probe_.write_pc(b[36] | uint32_t(b[37]) << 8 | uint32_t(b[38]) << 16 |
                        uint32_t(b[39]) << 24);
    }

    void step(uint32_t count)
    {
        while (count-- > 0) {
            probe_.set_device_state(Device::State_Running);
            cycles_ += uint64_t(device_.exec_cycle());
            put_record();
        }
    }

  private:
    void put_record()
    {
        uint8_t record[64] = {0};
        uint8_t *p = record;

        for (unsigned i = 0; i < 32; i++) {
            *p++ = probe_.read_gpreg(i);
        }
        p = store(p, probe_.read_sreg(), 1);
        p = store(p, probe_.read_ioreg(GPIOR2), 1);
        p = store(p, 0, 2);
        p = store(p, probe_.read_sp(), 4);
        p = store(p, probe_.read_pc(), 4);
        p = store(p, 0, 4);
        p = store(p, cycles_, 8);
        probe_.read_data(config_.ramstart, sram_.data(), mem_addr_t(sram_.size()));
        store(p, hash(sram_.data(), sram_.size()), 8);
        put(record, sizeof record);
    }

    ArchXT_CoreConfig &config_;
    ArchXT_DeviceConfig device_config_;
    /* a core does not start without a controller; no interrupt is ever raised */
    ArchXT_IntCtrlConfig interrupts_config_{40, 4, 0x110};
    ArchXT_IntCtrl interrupts_{interrupts_config_};
    ArchXT_Device device_;
    CycleManager manager_;
    DeviceDebugProbe probe_;
    Plain plain_;
    Log log_;
    std::vector<uint8_t> sram_, flash_;
    uint64_t cycles_ = 0;
};

} // namespace

int main(int argc, char **argv)
{
    static char buffer[1 << 20];
    uint8_t sizes[8];

    if (argc != 2 || strcmp(argv[1], "atmega4809") != 0) {
        fprintf(stderr, "usage: yasimavr_peer atmega4809\n");
        return 2;
    }
    ArchXT_CoreConfig config = atmega4809();
    Peer peer(config);
    setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
    store(store(sizes, config.flashsize, 4), config.ramend, 4);
    put(sizes, sizeof sizes);
    fflush(stdout);
    for (;;) {
        uint8_t command;
        get(&command, 1);
        switch (command) {
        case 'P':
            peer.set_program();
            break;
        case 'M':
            peer.set_memory();
            break;
        case 'S':
            peer.set_registers();
            break;
        case 'X':
            peer.step(get32());
            break;
        case 'F':
            fflush(stdout);
            break;
        default:
            return 1;
        }
    }
}
