/*
 * The functions of <stdio.h> that packages use, for compilers without a C library. A
 * microcontroller has no console: output is formatted as usual and then discarded. Formats are
 * those of C11, 7.21.6.1, except that a floating-point number is printed as '?', as by avr-libc.
 * The linker drops unused functions.
 */
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct pw_file {
    unsigned char number;
};

static const struct pw_file files[] = {{0}, {1}, {2}};
FILE *const stdin = &files[0];
FILE *const stdout = &files[1];
FILE *const stderr = &files[2];

/* The destination: holds as many characters as fit; counts all of them. */
struct sink {
    char *to;
    size_t room;
    size_t length;
};

/* One conversion specification. */
struct directive {
    bool left, plus, space, other, zeros;
    bool has_precision;
    size_t width;
    size_t precision;
    int size; /* in the order of integers: -2 char, -1 short, 0 int, 1 long, 2 long long */
};

/* va_list may be an array; a structure makes its address passable. */
struct arguments {
    va_list list;
};

static void put(struct sink *sink, char letter)
{
    if (sink->length < sink->room) {
        sink->to[sink->length] = letter;
    }
    sink->length++;
}

static void put_many(struct sink *sink, char letter, size_t count)
{
    for (; count != 0; count--) {
        put(sink, letter);
    }
}

static void put_text(struct sink *sink, const struct directive *how, const char *text,
                     size_t length)
{
    size_t padding = how->width > length ? how->width - length : 0;
    put_many(sink, ' ', how->left ? 0 : padding);
    for (size_t i = 0; i < length; i++) {
        put(sink, text[i]);
    }
    put_many(sink, ' ', how->left ? padding : 0);
}

/* `sign` is the text before the digits: a sign, 0x, or nothing. */
static void put_number(struct sink *sink, const struct directive *how, const char *sign,
                       unsigned long long value, unsigned base, const char *letters)
{
    char digits[22]; /* 64 bits in octal */
    size_t count = 0;
    for (; value != 0; value /= base) {
        digits[count++] = letters[value % base];
    }
    size_t least = how->has_precision ? how->precision : 1;
    if (base == 8 && how->other && least <= count) {
        least = count + 1;
    }
    size_t zeros = least > count ? least - count : 0;
    size_t written = strlen(sign) + zeros + count;
    size_t padding = how->width > written ? how->width - written : 0;
    if (how->zeros && !how->left && !how->has_precision) {
        zeros += padding;
        padding = 0;
    }
    put_many(sink, ' ', how->left ? 0 : padding);
    for (; *sign != 0; sign++) {
        put(sink, *sign);
    }
    put_many(sink, '0', zeros);
    while (count != 0) {
        put(sink, digits[--count]);
    }
    put_many(sink, ' ', how->left ? padding : 0);
}

static long long signed_argument(struct arguments *arguments, int size)
{
    switch (size) {
    case -2:
        return (signed char)va_arg(arguments->list, int);
    case -1:
        return (short)va_arg(arguments->list, int);
    case 0:
        return va_arg(arguments->list, int);
    case 1:
        return va_arg(arguments->list, long);
    default:
        return va_arg(arguments->list, long long);
    }
}

static unsigned long long unsigned_argument(struct arguments *arguments, int size)
{
    switch (size) {
    case -2:
        return (unsigned char)va_arg(arguments->list, unsigned);
    case -1:
        return (unsigned short)va_arg(arguments->list, unsigned);
    case 0:
        return va_arg(arguments->list, unsigned);
    case 1:
        return va_arg(arguments->list, unsigned long);
    default:
        return va_arg(arguments->list, unsigned long long);
    }
}

/* A number in a directive: digits, or `*` for an argument. Sets `*negative` if it is negative. */
static size_t read_count(const char **format, struct arguments *arguments, bool *negative)
{
    if (**format == '*') {
        (*format)++;
        int given = va_arg(arguments->list, int);
        *negative = given < 0;
        return given < 0 ? 0U - (unsigned)given : (unsigned)given;
    }
    size_t count = 0;
    for (; **format >= '0' && **format <= '9'; (*format)++) {
        count = count * 10 + (size_t)(**format - '0');
    }
    *negative = false;
    return count;
}

static bool read_flag(struct directive *how, char letter)
{
    switch (letter) {
    case '-':
        return how->left = true;
    case '+':
        return how->plus = true;
    case ' ':
        return how->space = true;
    case '#':
        return how->other = true;
    case '0':
        return how->zeros = true;
    default:
        return false;
    }
}

static int size_of(size_t bytes)
{
    return bytes == sizeof(int) ? 0 : bytes == sizeof(long) ? 1 : 2;
}

/* Reads flags, width, precision and length; the conversion's letter follows. */
static struct directive read_directive(const char **format, struct arguments *arguments)
{
    struct directive how = {0};
    bool negative;
    while (read_flag(&how, **format)) {
        (*format)++;
    }
    how.width = read_count(format, arguments, &negative);
    how.left = how.left || negative;
    if (**format == '.') {
        (*format)++;
        how.precision = read_count(format, arguments, &negative);
        how.has_precision = !negative;
    }
    for (;; (*format)++) {
        switch (**format) {
        case 'h':
            how.size--;
            break;
        case 'l':
            how.size++;
            break;
        case 'j':
            how.size = 2;
            break;
        case 'z':
        case 't':
            how.size = size_of(sizeof(size_t));
            break;
        case 'L':
            break;
        default:
            return how;
        }
    }
}

static void convert(struct sink *sink, const struct directive *how, char letter,
                    struct arguments *arguments)
{
    static const char lower[] = "0123456789abcdef", upper[] = "0123456789ABCDEF";
    switch (letter) {
    case 'd':
    case 'i': {
        long long value = signed_argument(arguments, how->size);
        unsigned long long size =
            value < 0 ? 0ULL - (unsigned long long)value : (unsigned long long)value;
        put_number(sink, how,
                   value < 0    ? "-"
                   : how->plus  ? "+"
                   : how->space ? " "
                                : "",
                   size, 10, lower);
        break;
    }
    case 'u':
        put_number(sink, how, "", unsigned_argument(arguments, how->size), 10, lower);
        break;
    case 'o':
        put_number(sink, how, "", unsigned_argument(arguments, how->size), 8, lower);
        break;
    case 'x':
    case 'X': {
        unsigned long long value = unsigned_argument(arguments, how->size);
        const char *sign = letter == 'x' ? "0x" : "0X";
        put_number(sink, how, how->other && value != 0 ? sign : "", value, 16,
                   letter == 'x' ? lower : upper);
        break;
    }
    case 'p':
        put_number(sink, how, "0x", (uintptr_t)va_arg(arguments->list, void *), 16, lower);
        break;
    case 'c': {
        char one = (char)va_arg(arguments->list, int);
        put_text(sink, how, &one, 1);
        break;
    }
    case 's': {
        const char *text = va_arg(arguments->list, const char *);
        text = text != NULL ? text : "(null)";
        size_t length = 0;
        while ((!how->has_precision || length < how->precision) && text[length] != 0) {
            length++;
        }
        put_text(sink, how, text, length);
        break;
    }
    case 'n':
        (void)va_arg(arguments->list, void *);
        break;
    case 'a':
    case 'A':
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
        (void)va_arg(arguments->list, double);
        put_text(sink, how, "?", 1);
        break;
    default:
        put(sink, letter);
    }
}

static int format_into(struct sink *sink, const char *format, va_list list)
{
    struct arguments arguments;
    va_copy(arguments.list, list);
    while (*format != 0) {
        if (*format != '%') {
            put(sink, *format++);
            continue;
        }
        format++;
        struct directive how = read_directive(&format, &arguments);
        if (*format == 0) {
            break;
        }
        convert(sink, &how, *format++, &arguments);
    }
    va_end(arguments.list);
    return (int)sink->length;
}

int vsnprintf(char *to, size_t size, const char *format, va_list list)
{
    struct sink sink = {to, size != 0 ? size - 1 : 0, 0};
    int length = format_into(&sink, format, list);
    if (size != 0) {
        to[sink.length < sink.room ? sink.length : sink.room] = 0;
    }
    return length;
}

int vsprintf(char *to, const char *format, va_list list)
{
    return vsnprintf(to, SIZE_MAX, format, list);
}

int vfprintf(FILE *file, const char *format, va_list list)
{
    (void)file;
    struct sink nowhere = {NULL, 0, 0};
    return format_into(&nowhere, format, list);
}

int vprintf(const char *format, va_list list)
{
    return vfprintf(stdout, format, list);
}

int printf(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int length = vprintf(format, list);
    va_end(list);
    return length;
}

int fprintf(FILE *file, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int length = vfprintf(file, format, list);
    va_end(list);
    return length;
}

int sprintf(char *to, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int length = vsprintf(to, format, list);
    va_end(list);
    return length;
}

int snprintf(char *to, size_t size, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int length = vsnprintf(to, size, format, list);
    va_end(list);
    return length;
}

int fputs(const char *text, FILE *file)
{
    (void)text;
    (void)file;
    return 0;
}

int puts(const char *text)
{
    return fputs(text, stdout);
}

int fputc(int letter, FILE *file)
{
    (void)file;
    return (unsigned char)letter;
}

int putc(int letter, FILE *file)
{
    return fputc(letter, file);
}

int putchar(int letter)
{
    return fputc(letter, stdout);
}

size_t fwrite(const void *from, size_t size, size_t count, FILE *file)
{
    (void)from;
    (void)size;
    (void)file;
    return count;
}

int fflush(FILE *file)
{
    (void)file;
    return 0;
}
